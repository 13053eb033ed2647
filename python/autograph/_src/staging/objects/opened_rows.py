"""Rows of tables as trees: what a transformation takes of an object that a staged statement binds.

    layer = Layer(w, b)
    for x in xs:                                 # staged: `layer` is a row of a table
        layer = ag.grad(loss)(layer, x)          # with respect to `layer.w` and `layer.b`

A transformed function works on copies of its arguments, so that it does not matter which row it was.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from autograph._src.dict_classes import DICT_CLASSES, dict_of, dict_word
from autograph._src.own_attributes import has_own
from autograph._src.staging.objects.object_fields import read_field
from autograph._src.staging.trace.object_sites import RecordKind
from autograph._src.staging.trace.record_trees import record_of
from autograph._src.staging.trace.references import is_reference


def opened(value: Any, around: tuple[int, ...] = ()) -> Any:
    """A tree with the dicts and dataclass objects in it that are rows of tables as plain ones.

    Args:
        value: The tree. Lists that are rows stay: their length is not known.
        around: The numbers of the tables whose rows it is in. An object of one of them stays a row, as what
            refers to itself is no tree.

    Returns:
        The tree itself, if there is no row in it.
    """
    if is_reference(value):
        return _opened_row(value, around)
    kind: Any = value.__class__ if isinstance(value, list) else type(value)
    if kind is list and not has_own(value, "current"):
        parts = _opened_parts(list.copy(value), around)
        return value if parts is None else parts
    if issubclass(kind, tuple) and (kind is tuple or hasattr(kind, "_fields")):
        parts = _opened_parts(list(value), around)
        if parts is None:
            return value
        return tuple(parts) if kind is tuple else kind(*parts)
    if kind in DICT_CLASSES:
        parts = _opened_parts(list(value.values()), around)
        return value if parts is None else dict_of(dict_word(value), zip(value, parts, strict=True))
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        names = [field.name for field in dataclasses.fields(value)]
        parts = _opened_parts([getattr(value, name) for name in names], around)
        return value if parts is None else record_of(kind, zip(names, parts, strict=True))
    return value


def _opened_parts(parts: list[Any], around: tuple[int, ...]) -> list[Any] | None:
    """The parts of a container, with rows opened; ``None`` if there are none."""
    found = [opened(part, around) for part in parts]
    return None if all(one is part for one, part in zip(found, parts, strict=True)) else found


def _opened_row(reference: Any, around: tuple[int, ...]) -> Any:
    table = reference.ag_table
    if not isinstance(table.kind, RecordKind) or table.number in around:
        return reference
    kind, names = table.kind.of_class, table.kind.names
    if not table.kind.is_of_dicts() and not _is_tree(kind, names):
        return reference
    parts = {name: opened(read_field(reference, name), (*around, table.number)) for name in names}
    return record_of(table.kind.word, parts.items())


def _is_tree(kind: type, names: tuple[Any, ...]) -> bool:
    """Whether objects of a class are trees of these attributes."""
    return dataclasses.is_dataclass(kind) and {field.name for field in dataclasses.fields(kind)} == {*names}
