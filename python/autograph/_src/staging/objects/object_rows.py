"""Makes references: the values that stand in the program for an object that is a table row."""

from __future__ import annotations

from autograph._src.staging.objects.object_tables import ObjectTable
from autograph._src.staging.tensors.tensor import Tensor
from autograph._src.staging.trace.object_sites import ListKind


def reference(table: ObjectTable, row: Tensor, name: str | None = None) -> object:
    """A reference to the list or object at a row of a table."""
    from autograph._src.staging.objects.object_lists import ListReference
    from autograph._src.staging.objects.object_records import record_reference

    if isinstance(table.kind, ListKind):
        return ListReference(table, row, name)
    return record_reference(table, row, name)
