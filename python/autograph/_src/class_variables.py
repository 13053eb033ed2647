"""Which classes the Rust dispatcher may flatten without running Python code, and what that depends on.

    @dataclass
    class Model:
        rate: float     # `model.rate` is a plain read, until somebody sets `Model.rate` to a property

Invariant: as long as the listed class variables are unchanged, reading the fields of a dataclass or the
elements of a NamedTuple gives the leaves of :func:`autograph._src.trees.flatten` and runs no Python code.
"""

from __future__ import annotations

import dataclasses
import gc
from abc import ABCMeta
from collections.abc import Hashable
from types import MemberDescriptorType
from typing import Any

from autograph._src.dict_classes import DICT_CLASSES, Defaulting
from autograph._src.policy import is_heap_type
from autograph._src.staging.trace.record_classes import is_named_tuple

ClassVariables = tuple[type, tuple[type, ...], list[tuple[dict[str, Any], str, Any]]]
"""A class, its ``__mro__``, and its variables as triples: a namespace, a name, and a tuple of the value.

The tuple is empty where the namespace has no such name.
"""

_OF_TUPLES = ("__iter__", "_fields")
_OF_DATACLASSES = ("__dataclass_fields__", "__getattribute__", "__getattr__", "__class__", "ag_table")
_ARE_ABSENT = frozenset(_OF_DATACLASSES[1:])


def classes_in(structure: Hashable) -> dict[type, None]:
    """The classes in a structure of :func:`autograph._src.trees.flatten` except tuple, list and dicts'."""
    found: dict[type, None] = {}
    pending: list[Any] = [structure]
    while pending:
        one = pending.pop()
        if isinstance(one, tuple):
            kind, *parts = one
            is_dict = kind in DICT_CLASSES or isinstance(kind, Defaulting)
            if kind not in (tuple, list) and not is_dict:
                found[kind] = None
            has_names = is_dict or not issubclass(kind, (tuple, list))
            pending += [part[1] for part in parts] if has_names else parts
    return found


def class_variables(kind: type) -> ClassVariables | None:
    """The class variables that reading an object depends on; ``None`` if a read may run Python code."""
    if type(kind) not in (type, ABCMeta):
        return None
    if is_named_tuple(kind):
        bases = kind.__mro__[: kind.__mro__.index(tuple)]
        names: tuple[str, ...] = _OF_TUPLES
        absent = frozenset(("__iter__",))
    else:
        bases = kind.__mro__[:-1]
        names = (*_OF_DATACLASSES, *(field.name for field in dataclasses.fields(kind)))
        absent = _ARE_ABSENT
    variables = []
    for base in bases:
        if not is_heap_type(base):
            return None
        namespace: dict[str, Any] = gc.get_referents(base.__dict__)[0]
        for name in names:
            value = namespace.get(name, _NOTHING)
            is_held = name in _OF_TUPLES or name in _OF_DATACLASSES
            if value is not _NOTHING and (name in absent or not (is_held or _is_plain(value))):
                return None
            variables.append((namespace, name, () if value is _NOTHING else (value,)))
    return kind, kind.__mro__, variables


def _is_plain(value: object) -> bool:
    """Whether reading a class attribute through an object runs no Python: no descriptor, or a slot's."""
    kind = type(value)
    is_read_as_it_is = not is_heap_type(kind) and not hasattr(kind, "__get__")
    return is_read_as_it_is or kind is MemberDescriptorType


_NOTHING = object()
