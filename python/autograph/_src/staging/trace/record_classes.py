"""Classes whose objects are nodes of a table: dataclasses, NamedTuples, and plain classes with attributes.

>>> from typing import NamedTuple
>>> class Pair(NamedTuple):
...     head: float
...     tail: "Pair | None" = None
>>> is_named_tuple(Pair), is_record_class(float)
(True, False)
>>> field_names(Pair(1.0)), names_own_class(Pair, "tail")
(('head', 'tail'), True)
"""

from __future__ import annotations

import dataclasses
import inspect
import re
from abc import ABCMeta
from typing import Any
from weakref import WeakKeyDictionary

from autograph._src.class_slots import slot_names
from autograph._src.policy import is_heap_type

_known: WeakKeyDictionary[type, bool] = WeakKeyDictionary()


def is_record_class(kind: type) -> bool:
    """Whether the attributes of a class's objects are plain fields, with no `__getattr__` or C base."""
    if not is_heap_type(kind):
        return False
    known = _known.get(kind)
    if known is None:
        known = _known[kind] = _has_fields_only(kind)
    return known


def _has_fields_only(kind: type) -> bool:
    if type(kind) not in (type, ABCMeta) or kind.__module__.partition(".")[0] in ("autograph", "builtins"):
        return False
    if is_named_tuple(kind):
        return True
    if hasattr(kind, "__getattr__") or any("__getattribute__" in base.__dict__ for base in kind.__mro__[:-1]):
        return False
    bases = [base for base in kind.__mro__[:-1] if not is_heap_type(base)]
    if bases:
        return False
    is_array_like = any(hasattr(kind, name) for name in ("__array__", "__dlpack__", "__next__"))
    return not is_array_like and not _is_called(kind)


def _is_called(kind: type) -> bool:
    return any("__call__" in base.__dict__ for base in kind.__mro__[:-1])


def is_named_tuple(kind: type) -> bool:
    """Whether `kind` is a ``NamedTuple`` or ``namedtuple`` class."""
    return issubclass(kind, tuple) and hasattr(kind, "_fields")


def field_names(node: Any) -> tuple[str, ...]:
    """An object's field names: those of its dataclass or ``NamedTuple``, else its slots and ``__dict__``."""
    kind = type(node)
    if dataclasses.is_dataclass(kind):
        return tuple(field.name for field in dataclasses.fields(kind))
    if is_named_tuple(kind):
        return tuple(kind._fields)
    names = [name for name in slot_names(kind) if hasattr(node, name)]
    return (*names, *getattr(node, "__dict__", ()))


def names_own_class(kind: type, field: str) -> bool:
    """Whether the annotation of a field names the class itself: ``left: Tree | None``."""
    names = "|".join(re.escape(base.__name__) for base in kind.__mro__[:-1])
    return re.search(rf"\b({names})\b", _annotation(kind, field)) is not None


def names_a_sequence(kind: type, field: str) -> bool:
    """Whether the annotation of a field names a list or a tuple: ``children: list[Tree]``."""
    return re.search(r"(?i)\b(list|tuple|sequence)\b", _annotation(kind, field)) is not None


def _annotation(kind: type, field: str) -> str:
    for base in kind.__mro__:
        annotations = inspect.get_annotations(base)
        if field in annotations:
            return str(annotations[field])
    return ""
