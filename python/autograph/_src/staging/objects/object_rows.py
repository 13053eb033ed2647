"""Makes references: the values that stand in the program for an object that is a table row."""

from __future__ import annotations

from collections.abc import Callable

from autograph._src.staging.objects.object_tables import ObjectTable
from autograph._src.staging.tensors.tensor import Tensor
from autograph._src.staging.trace.object_sites import ListKind, RecordKind

REFERENCES: dict[type[ListKind | RecordKind], Callable[[ObjectTable, Tensor, str | None], object]] = {}
"""By the kind of what a table holds: what makes a reference to a row of it."""


def reference(table: ObjectTable, row: Tensor, name: str | None = None) -> object:
    """A reference to the list or object at a row of a table."""
    return REFERENCES[type(table.kind)](table, row, name)
