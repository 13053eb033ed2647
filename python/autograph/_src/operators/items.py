"""Reading and writing items and attributes.

The back-end's journal learns of a write to a plain object before it happens. Where the user's class defines
the access itself (`__setitem__`, a property's setter), the converted version of that method is called.
"""

from __future__ import annotations

import inspect
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph._src.backends.protocol import active_backend, backend_among, backend_of
from autograph._src.dict_classes import DICT_CLASSES
from autograph._src.operators.calls import ATTRIBUTE_CHANGES, converted_call, iterated
from autograph._src.operators.constant_tables import is_staged_key, item_of
from autograph._src.operators.generator_loops import can_begin
from autograph._src.operators.impurity import refuse_opaque, refuse_outside_iterator
from autograph._src.operators.places import CONTAINERS, Attribute, Contents, PlainArray
from autograph._src.operators.spelled import operated
from autograph._src.own_attributes import has_own
from autograph._src.policy import is_user_function


def get_item(target: Any, index: Any) -> object:
    """``target[index]``."""
    backend = active_backend()
    if backend is None:
        return target[index]
    staged = _backend_of_item(target, index)
    method = _method_of_user(target, "__getitem__") if backend_of(target) is None else None
    if type(target) is dict and is_staged_key(index):
        item = item_of(target, index)
        if item is not NotImplemented:
            return item
    if staged is not None and method is None:
        return staged.get_item(target, index)
    if method is not None:
        return converted_call(method, target, index)
    if not isinstance(target, np.ndarray):
        backend.reads_part(target)
        refuse_opaque(target)
    if isinstance(target, dict) and is_staged_key(index):
        backend.has_staged_key(target, index)
    if isinstance(target, defaultdict) and _is_made_by_reading(target, index):
        target[index] = item = _made_by_reading(backend, target)
        return item
    item = target[index]
    backend.read_item(target, index, item)
    return backend.made_list(item) if isinstance(index, slice) and type(item) is list else item


def _backend_of_item(target: object, index: object) -> Any:
    """The back-end of a staged container, or of a staged index or bound of a slice."""
    if isinstance(index, slice):
        index = (index.start, index.stop, index.step)
    return backend_of(target) or backend_among(index if isinstance(index, tuple) else (index,))


def _is_made_by_reading(target: defaultdict[Any, Any], index: object) -> bool:
    """Whether reading an item stores a new one: ``count = counts[word]`` where there is none."""
    has_own_method = type(target).__missing__ is not defaultdict.__missing__
    return not has_own_method and target.default_factory is not None and index not in target


def _made_by_reading(backend: Any, target: defaultdict[Any, Any]) -> Any:
    """What the factory of a `defaultdict` makes for a key; the journal learns that it will be stored."""
    made = converted_call(target.default_factory)
    note_contents(backend, target)
    return made


def _method_of_user(target: object, name: str) -> object:
    """The method of this name in the class of an object, if the user wrote it, else ``None``."""
    method = getattr(type(target), name, None)
    return method if is_user_function(method) else None


_NOT_ASSIGNED = ("can only assign an iterable", "must assign iterable to extended slice")
"""Python's messages for assigning a non-iterable to a slice, without and with a step."""


def _is_extended(part: slice) -> bool:
    return part.step is not None and not (type(part.step) is int and part.step == 1)


def set_item(target: Any, index: Any, value: Any) -> None:
    """``target[index] = value``."""
    backend = active_backend()
    if backend is None:
        target[index] = value
        return
    staged = _backend_of_item(target, index)
    if isinstance(index, slice) and isinstance(target, list):
        refuse_outside_iterator(value)
        value = backend.iterable(value, _NOT_ASSIGNED[_is_extended(index)])
        staged = staged or backend_of(value)
    if staged is not None:
        if type(target) is list:
            note_contents(backend, target)  # A list of the caller becomes one of the graph first.
        staged.set_item(target, index, value)
        return
    method = _method_of_user(target, "__setitem__")
    if method is not None:
        converted_call(method, target, index, value)
        return
    if isinstance(target, dict) and is_staged_key(index):
        backend.has_staged_key(target, index)
    note_contents(backend, target)
    target[index] = value


def note_contents(backend: Any, target: object) -> None:
    """Tells the journal that the contents of a container are about to change."""
    if has_own(target, "will_change"):
        target.will_change()
    elif isinstance(target, CONTAINERS):
        backend.will_write(Contents(target))
    elif isinstance(target, np.ndarray):
        backend.will_write(PlainArray(target))


def update_item(target: object, index: object, op: str, value: Callable[[], Any]) -> None:
    """``target[index] op= value()``; ``op`` is a name of the ``operator`` module, such as ``iadd``."""
    set_item(target, index, operated(op, _current(target, index), value()))


def _current(target: object, index: object) -> object:
    """The item that an augmented assignment reads."""
    item = get_item(target, index)
    staged = backend_among((target, index))
    return item if staged is None else staged.item_to_update(item)


def del_item(target: Any, index: Any) -> None:
    """``del target[index]``."""
    backend = active_backend()
    if backend is not None:
        staged = _backend_of_item(target, index)
        if staged is not None:
            if type(target) is list:
                note_contents(backend, target)
            staged.del_item(target, index)
            return
        method = _method_of_user(target, "__delitem__")
        if method is not None:
            converted_call(method, target, index)
            return
        if isinstance(target, dict) and is_staged_key(index):
            backend.has_staged_key(target, index)
        note_contents(backend, target)
    del target[index]


def set_attr(target: object, name: str, value: object) -> None:
    """``target.name = value``."""
    backend = active_backend()
    if backend is None:
        setattr(target, name, value)
        return
    staged = backend_of(target)
    if staged is not None:
        staged.set_attr(target, name, value)
        return
    setter = _setter_of_user(target, name)
    if setter is not None:
        converted_call(setter, target, value)
        return
    method = _method_of_user(target, "__setattr__")
    if method is not None:
        converted_call(method, target, name, value)
        return
    if not backend.keeps(value):
        backend.will_write(Attribute(target, name))
    setattr(target, name, value)


def _setter_of_user(target: object, name: str) -> Callable[[Any, Any], None] | None:
    """The setter of a property of this name, if the user wrote it."""
    found = inspect.getattr_static(type(target), name, None)
    return found.fset if isinstance(found, property) and is_user_function(found.fset) else None


def update_attr(target: object, name: str, op: str, value: Callable[[], Any]) -> None:
    """``target.name op= value()``."""
    staged = backend_of(target)
    present = getattr(target, name) if staged is None else staged.attribute_to_update(target, name)
    set_attr(target, name, operated(op, present, value()))


def del_attr(target: object, name: str) -> None:
    """``del target.name``."""
    backend = active_backend()
    if backend is not None:
        staged = backend_of(target)
        if staged is not None:
            staged.del_attr(target, name)
            return
        backend.will_write(Attribute(target, name))
    delattr(target, name)


ATTRIBUTE_CHANGES.update({setattr: set_attr, delattr: del_attr})


def created(value: object) -> Any:
    """Tells the back-end of a list, dict or set display; returns the object to use instead."""
    backend = active_backend()
    if backend is None:
        return value
    if type(value) is list:
        return backend.made_list(value)
    made = backend.created(value)
    return backend.made_object(made, False) if type(value) in DICT_CLASSES else made


def with_element(made: list[Any], value: object) -> object:
    """Continues a list display with one element: ``[*xs, value]``."""
    made.append(value)
    return made


_NOT_UNPACKED = "Value after * must be an iterable, not NoneType"
"""Python's message for ``[*None]``."""


def with_elements(made: list[Any], values: Any) -> object:
    """Continues a list display with the elements of an iterable: ``[value, *values]``."""
    generator = iterated(values)
    if can_begin(generator):
        values = converted_call(list, generator)
    staged = backend_of(values)
    if staged is not None:
        values = staged.iterable(values, _NOT_UNPACKED)  # Without `None`, if it may be that.
    if backend_of(values) is None:
        refuse_outside_iterator(values)
        values = [*values]  # CPython raises the error if it is not iterable.
    made.extend(values)
    return made
