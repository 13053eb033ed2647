"""Copies of objects that are rows of tables, and of lists of them.

    copy.copy(points[0])     # a new row with the same fields
    copy.deepcopy(rows)      # refused: only the run knows which of the rows are the same object

A deep copy would have to keep such sharing.
"""

from __future__ import annotations

from typing import Any

from autograph._src.staging.lists.list_refusals import refuse_deep_copy
from autograph._src.staging.objects.object_rows import reference
from autograph._src.staging.tensors.tensor import emit


def copied_record(self: Any) -> object:
    """``copy.copy(self)``: a new row with the same fields."""
    table, row = self.ag_table, self.ag_row.read()
    leaves = [emit("list_get", one, row) for one in table.values()]
    return reference(table, table.added(leaves, []), self.ag_name)


def deeply_copied_record(self: Any, memo: dict[int, Any]) -> object:
    """``copy.deepcopy(self)``: like ``copy.copy``; refused if the object refers to other objects."""
    refuse_deep_copy(self.ag_table.row_type(), f"a {self.ag_table.kind.of_class.__name__}")
    return copied_record(self)
