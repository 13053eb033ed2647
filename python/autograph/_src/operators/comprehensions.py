"""List comprehensions and generator expressions: run over plain iterables, recorded over staged ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from types import FunctionType
from typing import Any, cast

import numpy as np

from autograph._src.backends.protocol import Backend, active_backend, backend_of
from autograph._src.operators.calls import converted_call, in_steps, iterated
from autograph._src.operators.constant_tables import is_staged_key
from autograph._src.operators.control_flow import for_stmt, if_stmt
from autograph._src.operators.generator_loops import (
    Loop,
    Loops,
    can_begin,
    has_values,
    in_generator,
    note_temporary,
    with_walk,
)
from autograph._src.operators.impurity import refuse_outside_iterator
from autograph._src.operators.items import created, set_item
from autograph._src.operators.logic import and_
from autograph._src.operators.loop_targets import Element, has_form, of_item
from autograph._src.operators.unpacked import tuple_display


def list_comprehension(iterable: Iterable[Any], element: Element, condition: Element | None = None) -> object:
    """``[element(item) for item in iterable if condition(item)]``."""
    backend = active_backend()
    element, condition = of_item(element), None if condition is None else of_item(condition)
    if backend is None:
        return _in_python(iterable, element, condition)
    iterable = iterated(iterable)
    note_temporary(iterable)
    if not can_begin(iterable):
        refuse_outside_iterator(iterable)
    else:
        return nested_list_comprehension(iterable, element, *(() if condition is None else (condition,)))
    made = (backend_of(iterable) or backend).list_comprehension(iterable, element, condition)
    made = _in_python(iterable, element, condition) if made is NotImplemented else made
    return backend.made_list(made) if type(made) is list else made


def _in_python(iterable: Iterable[Any], element: Element, condition: Element | None) -> list[Any]:
    if condition is None:
        return [element(item) for item in iterable]
    return [element(item) for item in iterable if condition(item)]


def inner(iterable: Iterable[Any], element: Element, *conditions: Element) -> Loop:
    """A further ``for item in iterable if condition(item) if …`` of a comprehension."""
    return Loop(iterable, element, conditions)


def nested_list_comprehension(iterable: Iterable[Any], element: Element, *conditions: Element) -> object:
    """``[… for item in iterable if condition(item) if … for … in …]``.

    It runs the statements that the comprehension abbreviates:

        made = []
        for item in iterable:
            if condition(item):
                for …:
                    made.append(…)
    """
    made = created([])
    _append_each(made, Loop(iterable, element, conditions))
    return made


def _append_each(made: list[Any], loop: Loop) -> None:
    def append(item: object) -> None:
        value = element(item)
        if type(value) is Loop:
            _append_each(made, value)
        else:
            made.append(value)

    element = of_item(loop.element)
    body: Callable[[Any], None] = append
    for condition in reversed(loop.conditions):
        body = _if(of_item(condition), body)
    for_stmt(loop.iterable, None, cast(FunctionType, body), ())


def _if(condition: Element, then: Callable[[Any], None]) -> Callable[[Any], None]:
    """``lambda item: if condition(item): then(item)``."""

    def body(item: object) -> None:
        def branch() -> None:
            then(item)

        if_stmt(condition(item), cast(FunctionType, branch), (), 0)

    return body


def set_comprehension(iterable: Iterable[Any], element: Element, *conditions: Element) -> object:
    """``{… for item in iterable if condition(item) if … for … in …}``."""
    return _keyed(set, Loop(iterable, element, conditions))


def dict_comprehension(iterable: Iterable[Any], element: Element, *conditions: Element) -> object:
    """``{key: value for item in iterable if condition(item) if … for … in …}``; the element is the pair."""
    return _keyed(dict, Loop(iterable, element, conditions))


def _keyed(kind: Any, loop: Loop) -> object:
    """A set or dict of the elements; one of the back-end's where a key or their number is staged."""
    backend = active_backend()
    if backend is None:
        return kind(_list_of(loop))
    loop = loop._replace(iterable=iterated(loop.iterable))
    is_walk = can_begin(loop.iterable)
    if not is_walk:
        refuse_outside_iterator(loop.iterable)
    if backend_of(loop.iterable) is None and not is_walk:
        values = _list_of(loop)
        if not any(is_staged_key(value[0] if kind is dict else value) for value in values):
            return created(kind(values))
        return backend.made_of(kind, backend.made_list(values))
    made = created([])
    _append_each(made, loop)
    return backend.made_of(kind, made)


def dict_display(*items: tuple[Any, ...]) -> object:
    """``{key: value, **values}``: a pair for each key, and a tuple of one for ``**values``."""
    backend = active_backend()
    if backend is None or not any(is_staged_key(item[0]) for item in items):
        made: dict[Any, Any] = {}
        for item in items:
            made.update({item[0]: item[1]} if len(item) == 2 else {**item[0]})
        return created(made)
    found: Any = backend.made_of(dict, backend.made_list([]))
    for item in items:
        if len(item) == 2:
            set_item(found, *item)
        else:
            converted_call(found.update, item[0])
    return found


def set_display(*elements: Any) -> object:
    """``{element, *elements}``."""
    backend = active_backend()
    if backend is None or not any(map(is_staged_key, elements)):
        return created(set(elements))
    return backend.made_of(set, backend.made_list(list(elements)))


def set_of(*parts: Any) -> object:
    """``{element, *values}``: its parts are tuples."""
    elements = tuple_display(*parts)
    return set_display(*elements) if type(elements) is tuple else converted_call(set, elements)


def generator(iterable: Iterable[Any], element: Element, condition: Element | None = None) -> object:
    """``(element(item) for item in iterable if condition(item))``."""
    note_temporary(iterable)
    backend: Backend | None = backend_of(iterable)
    if backend is not None and not _is_stepped(element):
        one = None if condition is None else in_generator(of_item(condition))
        made = backend.generator(iterable, in_generator(of_item(element)), one)
        if made is not NotImplemented:
            return backend.made_by(made, element)
    return nested_generator(iterable, element, *(() if condition is None else (condition,)))


def nested_generator(iterable: Iterable[Any], element: Element, *conditions: Element) -> object:
    """``(… for item in iterable if condition(item) if … for … in …)``."""
    iterable = iterated(iterable)
    note_temporary(iterable)
    if not can_begin(iterable):
        refuse_outside_iterator(iterable)
    backend = backend_of(iterable)
    if _is_stepped(element) and (backend is not None or has_values(iterable) or can_begin(iterable)):
        return _in_steps(iterable, element, conditions)
    is_staged = backend is not None and backend.generator(iterable, _itself, None) is not NotImplemented
    items: Iterable[Any] = iterable if is_staged else iter(iterable)
    made = created(_items_of(Loop(items, element, conditions)))
    if active_backend() is not None:
        is_sized = type(iterable) in _WHILE_UNCHANGED
        is_itself = is_staged or is_sized or type(iterable) in _AS_THEY_ARE
        is_itself = is_itself or type(iterable).__module__.startswith("autograph.")  # `ag.unroll(xs)`
        loop = Loop(iterable if is_itself else items, element, conditions)
        made = with_walk(made, Loops(loop, iter(items) if is_sized else None), cast(FunctionType, element))
    return made


def _is_stepped(element: Element) -> bool:
    backend = active_backend()
    return backend is not None and backend.takes_steps(cast(FunctionType, element))


def _in_steps(iterable: Iterable[Any], element: Element, conditions: tuple[Element, ...]) -> object:
    """A generator of one loop whose items are taken one by one."""

    def holds(*items: Any) -> Any:
        first, *rest = [partial(one, *items) for one in conditions]
        return and_(first(), *rest)

    backend = active_backend()
    assert backend is not None
    if has_form(element) or element.__code__.co_argcount not in _STEPPED:
        element, conditions = of_item(element), tuple(map(of_item, conditions))
    plain, with_test = cast(tuple[FunctionType, FunctionType], _STEPPED[element.__code__.co_argcount])
    condition = conditions[0] if len(conditions) == 1 else holds
    function, args = (
        (with_test, (iterable, element, condition)) if conditions else (plain, (iterable, element))
    )
    generator = backend.created(function(*args))
    return in_steps(backend, function, generator, args, {})


def _each(iterable: Iterable[Any], element: Element) -> Iterator[Any]:
    for item in iterable:
        yield element(item)


def _each_if(iterable: Iterable[Any], element: Element, condition: Element) -> Iterator[Any]:
    for item in iterable:
        if condition(item):
            yield element(item)


def _each_pair(iterable: Iterable[Any], element: Element) -> Iterator[Any]:
    for first, second in iterable:
        yield element(first, second)


def _each_pair_if(iterable: Iterable[Any], element: Element, condition: Element) -> Iterator[Any]:
    for first, second in iterable:
        if condition(first, second):
            yield element(first, second)


_STEPPED = {1: (_each, _each_if), 2: (_each_pair, _each_pair_if)}
"""By how many names the loop binds: without a condition, and with one."""


def _itself(item: object) -> object:
    return item


_AS_THEY_ARE = (range, list, tuple, str, bytes, np.ndarray)
"""Classes whose objects a loop may walk later as it would when the generator is made."""

_WHILE_UNCHANGED: tuple[type[Any], ...] = (
    dict,
    set,
    frozenset,
    type({}.keys()),
    type({}.values()),
    type({}.items()),
)
"""Likewise, as long as they have the size that they had then."""


def _list_of(loop: Loop) -> list[Any]:
    """The items of a loop, as a comprehension makes them: no generator changes its ``StopIteration``."""
    element, conditions = of_item(loop.element), [of_item(one) for one in loop.conditions]
    made: list[Any] = []
    for item in loop.iterable:
        for condition in conditions:
            if not condition(item):
                break
        else:
            value = element(item)
            if type(value) is Loop:
                made += _list_of(value)
            else:
                made.append(value)
    return made


def _items_of(loop: Loop) -> Iterator[Any]:
    """The items of a loop, as a generator of Python."""
    element, conditions = of_item(loop.element), [of_item(one) for one in loop.conditions]
    for item in loop.iterable:
        if all(condition(item) for condition in conditions):
            value = element(item)
            if type(value) is Loop:
                yield from _items_of(value)
            else:
                yield value
