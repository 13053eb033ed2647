"""Copies of objects that are rows of tables, and of lists of them.

copy.copy(points[0])     # another row with the same fields
copy.deepcopy(rows)      # refused: which of the rows are one and the same, only the run knows
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from autograph.errors import StagingError
from autograph.staging.frames import is_internal_file, location_of, user_frame
from autograph.staging.tensor import emit

if TYPE_CHECKING:
    from autograph.staging.kinds.leaf_kind import LeafKind


def refuse_deep_copy(element: LeafKind, what: str) -> None:
    """Which of the objects in it are one and the same, only the run knows.

    Args:
        element: The type of what is copied.
        what: What it is, for the message.

    Raises:
        StagingError: If there are objects in it.
    """
    if not element.tables():
        return
    frame = user_frame()
    while frame is not None and (
        frame.f_globals.get("__name__") == "copy" or is_internal_file(frame.f_code.co_filename)
    ):
        frame = frame.f_back
    raise StagingError(
        f"{what} with lists or objects in it is copied with all of them, of which some may be one",
        code="AG120",
        location=None if frame is None else location_of(frame.f_code, frame.f_lasti),
        help="make new ones of their parts, in a loop",
    )


def copied_record(self: Any) -> Any:
    """``copy.copy(self)``: a new row with the same fields."""
    from autograph.staging.object_rows import reference

    table, row = self.ag_table, self.ag_row.read()
    leaves = [emit("list_get", one, row) for one in table.values()]
    return reference(table, table.added(leaves, []), self.ag_name)


def deeply_copied_record(self: Any, memo: dict[int, Any]) -> Any:
    """``copy.deepcopy(self)``: the same, of an object that refers to no others."""
    refuse_deep_copy(self.ag_table.row_type(), f"a {self.ag_table.kind.kind.__name__}")
    return copied_record(self)
