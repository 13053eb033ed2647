"""Where an exception was raised: what a running graph notes in a traceback, and what reads it there."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from autograph.errors import Location


class Place(NamedTuple):
    """Where an exception was raised.

    Attributes:
        file: The user's file.
        line: The line, counted from 1.
        column: The column: a byte offset, counted from 1.
        code: Code of the catalogue.

    Example:
        >>> from autograph.errors import Place
        >>> Place("program.py", 3, 5, "AG201").line
        3
    """

    file: str
    line: int
    column: int
    code: str


PLACE = "__autograph_place__"
"""The key of a :class:`Place` among the globals of a traceback frame that a running graph made.

A note on the exception (``add_note``) could hold the place too, but doctest would take the note's last line
for the message.
"""


def as_place(location: Location, code: str) -> Place:
    """A location with a code, and with its column counted from 1.

    Example:
        >>> from autograph.errors import Location
        >>> as_place(Location("program.py", "f", 3, 4, 3, 9), "AG201")
        Place(file='program.py', line=3, column=5, code='AG201')
    """
    return Place(location.file, location.line, location.column + 1, code)


def noted_place(traceback: TracebackType | None) -> Place | None:
    """The innermost place that a running graph noted in a traceback; ``None`` if there is none."""
    found, entry = None, traceback
    while entry is not None:
        found = entry.tb_frame.f_globals.get(PLACE, found)
        entry = entry.tb_next
    return found
