"""List comprehensions and generator expressions: run over plain iterables, recorded over staged ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import FunctionType
from typing import Any, NamedTuple, cast

from autograph._src.backends.protocol import Backend, active_backend, backend_of
from autograph._src.operators.control_flow import for_stmt, if_stmt
from autograph._src.operators.impurity import refuse_outside_iterator
from autograph._src.operators.items import created

Element = Callable[..., Any]


def list_comprehension(iterable: Iterable[Any], element: Element, condition: Element | None = None) -> object:
    """``[element(item) for item in iterable if condition(item)]``."""
    backend = active_backend()
    element, condition = of_item(element), None if condition is None else of_item(condition)
    if backend is None:
        return _in_python(iterable, element, condition)
    refuse_outside_iterator(iterable)
    made = (backend_of(iterable) or backend).list_comprehension(iterable, element, condition)
    made = _in_python(iterable, element, condition) if made is NotImplemented else made
    return backend.made_list(made) if type(made) is list else made


def _in_python(iterable: Iterable[Any], element: Element, condition: Element | None) -> list[Any]:
    if condition is None:
        return [element(item) for item in iterable]
    return [element(item) for item in iterable if condition(item)]


class Inner(NamedTuple):
    """An inner ``for`` of a comprehension, with its element and its conditions."""

    iterable: Iterable[Any]
    element: Element
    conditions: tuple[Element, ...]


def inner(iterable: Iterable[Any], element: Element, *conditions: Element) -> Inner:
    """A further ``for item in iterable if condition(item) if …`` of a comprehension."""
    return Inner(iterable, element, conditions)


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
    _append_each(made, Inner(iterable, element, conditions))
    return made


def _append_each(made: list[Any], loop: Inner) -> None:
    def append(item: object) -> None:
        value = element(item)
        if type(value) is Inner:
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


def generator(iterable: Iterable[Any], element: Element, condition: Element | None = None) -> object:
    """``(element(item) for item in iterable if condition(item))``."""
    element, condition = of_item(element), None if condition is None else of_item(condition)
    backend: Backend | None = backend_of(iterable)
    if backend is not None:
        made = backend.generator(iterable, element, condition)
        if made is not NotImplemented:
            return made
    refuse_outside_iterator(iterable)
    items = iter(iterable)
    if condition is None:
        return created(element(item) for item in items)
    return created(element(item) for item in items if condition(item))


def of_item(function: Element) -> Element:
    """Makes an element function take one item, which it unpacks into several targets."""
    count = function.__code__.co_argcount
    if count == 1:
        return function
    return _of_two(function) if count == 2 else _of_three(function)


def _of_two(function: Element) -> Element:
    def unpacked(item: Any) -> object:
        refuse_outside_iterator(item)
        first, second = item  # CPython raises the error if there are more or fewer.
        return function(first, second)

    return unpacked


def _of_three(function: Element) -> Element:
    def unpacked(item: Any) -> object:
        refuse_outside_iterator(item)
        first, second, third = item
        return function(first, second, third)

    return unpacked
