"""``match``: what patterns ask of a value's structure.

    case [a, b]:            if ag__.is_sequence(x, 2):
                                a, b = x
    case Point(0, y=b):     parts = ag__.class_parts(x, Point, 1, ('y',))
                            if ag__.found(parts):
                                first, second = ag__.parts_of(parts)
                                if first == 0:
                                    b = second

The structure of a staged value may depend on the run, as that of a point that may be ``None``: then the tests
give staged values, and the parts are read where they hold.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from autograph._src.backends.protocol import backend_of
from autograph._src.operators.calls import converted_call
from autograph._src.operators.items import del_item, get_item
from autograph._src.operators.logic import and_, in_

Parts = tuple[Any, ...]


class _ByFlag(type):
    """The metaclass of what stands for all classes with a flag, in ``isinstance`` and ``issubclass``."""

    flag: int

    def __instancecheck__(cls, instance: object) -> bool:
        return issubclass(type(instance), cls)

    def __subclasscheck__(cls, subclass: type) -> bool:
        return bool(subclass.__flags__ & cls.flag)


class _Sequence(metaclass=_ByFlag):
    """The classes that sequence patterns match: CPython's ``Py_TPFLAGS_SEQUENCE``."""

    flag = 1 << 5


class _Mapping(metaclass=_ByFlag):
    """The classes that mapping patterns match: CPython's ``Py_TPFLAGS_MAPPING``."""

    flag = 1 << 6


_MATCHES_SELF = 1 << 22
"""CPython's flag of classes such as ``int``, whose one positional part is the value itself."""

_ITSELF = object()
"""Stands for the name of that part."""


@dataclass(frozen=True)
class StagedParts:
    """Parts that are there where something staged holds, and are read there."""

    holds: Any
    read: Callable[[], Parts]


def is_sequence(value: object, length: int) -> object:
    """Whether a value is a sequence of a length: ``case [a, b]:``."""
    is_one = converted_call(isinstance, value, _Sequence)
    return and_(is_one, lambda: converted_call(len, value) == length)


def is_sequence_from(value: object, least: int) -> object:
    """Whether a value is a sequence of at least a length: ``case [a, *b]:``."""
    is_one = converted_call(isinstance, value, _Sequence)
    return and_(is_one, lambda: converted_call(len, value) >= least) if least else is_one


def item_from_end(value: object, place: int) -> object:
    """An item counted from the end: ``case [*_, last]:``. A sequence need not know negative indices."""
    return get_item(value, converted_call(len, value) - place)


def is_mapping(value: object, least: int) -> object:
    """Whether a value is a mapping with at least so many items: ``case {"a": a}:``."""
    is_one = converted_call(isinstance, value, _Mapping)
    return and_(is_one, lambda: converted_call(len, value) >= least) if least else is_one


def mapping_parts(value: Any, keys: Parts) -> Parts | StagedParts | None:
    """The values of keys, if all are there: ``case {"a": a, "b": b}:``."""
    seen: set[object] = set()
    found = []
    holds: Any = True
    for key in keys:
        if key in seen:
            raise ValueError(f"mapping pattern checks duplicate key ({key!r})")
        seen.add(key)
        if backend_of(value) is not None:
            holds = and_(holds, partial(in_, key, value))
            continue
        item = _item_of(value, key)
        if item is _MISSING:
            return None
        found.append(item)
    if backend_of(value) is None:
        return tuple(found)
    return _where(holds, lambda: tuple(get_item(value, key) for key in keys))


_MISSING = object()


def _item_of(mapping: Any, key: object) -> object:
    """``mapping.get(key, _MISSING)``."""
    if getattr(type(mapping), "get", None) is not dict.get:
        return converted_call(mapping.get, key, _MISSING)
    return get_item(mapping, key) if key in mapping else _MISSING


def mapping_rest(value: Any, keys: Parts) -> object:
    """What a mapping has beside keys: ``case {"a": a, **rest}:``."""
    rest = converted_call(dict, value)
    for key in keys:
        del_item(rest, key)
    return rest


def is_instance(value: object, kind: Any) -> object:
    """Whether a value is of a class: ``case Point():``."""
    if not isinstance(kind, type):
        match value:  # CPython words the error.
            case kind():
                pass
    return converted_call(isinstance, value, kind)


def class_parts(
    value: object, kind: Any, positional: int, names: tuple[str, ...]
) -> Parts | StagedParts | None:
    """The attributes of a value, if it is of a class and has them: ``case Point(a, y=b):``."""
    holds = is_instance(value, kind)
    if backend_of(holds) is None and not holds:
        return None
    attributes = (*_positional_names(kind, positional), *names)
    seen: set[Any] = set()
    found = []
    for name in attributes:
        if name is _ITSELF:
            found.append(value)
            continue
        if name in seen:
            raise TypeError(f"{kind.__name__}() got multiple sub-patterns for attribute {name!r}")
        seen.add(name)
        if backend_of(value) is not None:
            holds = and_(holds, partial(converted_call, hasattr, value, name))
            continue
        attribute = getattr(value, name, _MISSING)
        if attribute is _MISSING:
            return None
        found.append(attribute)
    if backend_of(value) is None:
        return tuple(found)
    return _where(holds, lambda: tuple(_attribute(value, name) for name in attributes))


def _attribute(value: object, name: Any) -> object:
    return value if name is _ITSELF else converted_call(getattr, value, name)


def _positional_names(kind: type, count: int) -> Parts:
    """The attributes that the positional parts of a class pattern stand for."""
    if not count:
        return ()
    names = getattr(kind, "__match_args__", None)
    is_itself = names is None and bool(kind.__flags__ & _MATCHES_SELF)
    names = (_ITSELF,) if is_itself else () if names is None else names
    if type(names) is not tuple:
        got = type(names).__name__
        raise TypeError(f"{kind.__name__}.__match_args__ must be a tuple (got {got})")
    if len(names) < count:
        plural = "" if len(names) == 1 else "s"
        message = f"accepts {len(names)} positional sub-pattern{plural} ({count} given)"
        raise TypeError(f"{kind.__name__}() {message}")
    for name in names[:count]:
        if name is not _ITSELF and type(name) is not str:
            raise TypeError(f"__match_args__ elements must be strings (got {type(name).__name__})")
    return names[:count]


def _where(holds: Any, read: Callable[[], Parts]) -> Parts | StagedParts | None:
    if backend_of(holds) is not None:
        return StagedParts(holds, read)
    return read() if holds else None


def found(parts: Parts | StagedParts | None) -> object:
    """Whether a value has the parts that a pattern looks at."""
    return parts.holds if isinstance(parts, StagedParts) else parts is not None


def parts_of(parts: Parts | StagedParts) -> Parts:
    """The parts, where they are there."""
    return parts.read() if isinstance(parts, StagedParts) else parts
