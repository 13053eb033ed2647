"""What stands in the program for an object that is a row of a table."""

from __future__ import annotations

from typing import Any

from autograph.staging.object_sites import ListKind
from autograph.staging.object_tables import ObjectTable
from autograph.staging.tensor import Tensor


def reference(table: ObjectTable, row: Tensor, name: str | None = None) -> Any:
    """What stands for an object in the program."""
    from autograph.staging.object_lists import ListReference
    from autograph.staging.object_records import record_reference

    if isinstance(table.kind, ListKind):
        return ListReference(table, row, name)
    return record_reference(table, row, name)
