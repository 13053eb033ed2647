"""Rows of tables as graph values, and back: what variables that refer to objects are in a graph."""

from __future__ import annotations

from typing import Any

from autograph.operators.undefined import Undefined
from autograph.staging.leaf_types import RowOf
from autograph.staging.object_sites import ListKind
from autograph.staging.object_tables import ObjectTable, table_of
from autograph.staging.references import is_reference
from autograph.staging.tensor import Kind, Tensor, constant, wrap


def convert_row(value: Any, target: RowOf) -> list[int]:
    """The number of the row, and whether the variable is bound if it may not be."""
    is_bound = not isinstance(value, Undefined)
    row = value.ag_row if is_reference(value) else constant(0, "int64", Kind.PYTHON)
    if not target.may_be_unbound:
        return [row.read()]
    flag = value.ag_bound if is_reference(value) else None
    bound = constant(is_bound, "bool") if flag is None else flag
    return [row.read(), bound.read()]


def restored_row(values: list[int], target: RowOf, name: str) -> Any:
    """The reference of graph values, which it takes off the list."""
    made = reference(table_of(target.number), wrap(values.pop(0), Kind.PYTHON), name)
    if target.may_be_unbound:
        object.__setattr__(made, "ag_bound", wrap(values.pop(0), Kind.PYTHON))
    return made


def reference(table: ObjectTable, row: Tensor, name: str | None = None) -> Any:
    """What stands for an object in the program."""
    from autograph.staging.object_lists import ListReference
    from autograph.staging.object_records import record_reference

    if isinstance(table.kind, ListKind):
        return ListReference(table, row, name)
    return record_reference(table, row, name)
