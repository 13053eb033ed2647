"""Tracebacks of running graphs: frames with the user's file, function and line, although no Python ran.

    Traceback (most recent call last):
      File "program.py", line 12, in <module>
        f(-1)
      File "program.py", line 9, in f             made here
        return checked(k) + 1
               ^^^^^^^^^^
      File "program.py", line 4, in checked       made here
        raise ValueError("k must not be negative")
    ValueError: k must not be negative

Template engines use the same technique: to make a frame, run a tiny code object that has the wanted file,
name and position, and that raises at once.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterable
from types import CodeType, TracebackType

from autograph._src.error_places import PLACE, as_place
from autograph.errors import Location

MOST_FRAMES = 1000
"""The most frames in a traceback; a longer chain of calls loses its middle."""


def traceback_at(
    places: list[Location], code: str, rest: TracebackType | None = None
) -> TracebackType | None:
    """A traceback with a frame at each of these places.

    Args:
        places: The places, outermost first.
        code: The code of the failure.
        rest: The traceback that follows the frames.
    """
    if len(places) > MOST_FRAMES:
        places = [*places[: MOST_FRAMES // 2], *places[-MOST_FRAMES // 2 :]]
    return linked((_frame_at(place, code) for place in reversed(places)), rest)


def linked(inner: Iterable[TracebackType], rest: TracebackType | None) -> TracebackType | None:
    """A traceback of these entries, given innermost first, followed by ``rest``."""
    for one in inner:
        rest = TracebackType(rest, one.tb_frame, one.tb_lasti, one.tb_lineno)
    return rest


WALKS: dict[CodeType, bool] = {}
"""Code of ours that runs a generator function as statements, and that runs what an item is for (`False`)."""


def entries_of(traceback: TracebackType | None) -> list[TracebackType]:
    """The entries of a traceback, outermost first, without generators whose statements run something else."""
    entries: list[TracebackType] = []
    walks: list[int] = []
    while traceback is not None:
        is_walk = WALKS.get(traceback.tb_frame.f_code)
        if is_walk:
            walks.append(len(entries))
        elif is_walk is not None and walks:
            del entries[walks.pop() :]
        entries.append(traceback)
        traceback = traceback.tb_next
    return entries


def _frame_at(place: Location, code: str) -> TracebackType:
    """A traceback entry whose frame is at a place of the user's program."""
    try:
        exec(_failing_code(place), {PLACE: as_place(place, code)}, {})
    except ZeroDivisionError as error:
        entry = error.__traceback__
        if entry is not None and entry.tb_next is not None:
            return entry.tb_next
    raise AssertionError("the code does not fail")


@functools.lru_cache(1024)
def _failing_code(place: Location) -> CodeType:
    """A code object that raises at a place of the user's program."""
    module = ast.parse("1 / 0")
    ends_after = (place.end_line, place.end_column) >= (place.line, place.column)
    for node in ast.walk(module):
        if isinstance(node, (ast.stmt, ast.expr)):
            node.lineno, node.col_offset = place.line, place.column
            node.end_lineno = place.end_line if ends_after else place.line
            node.end_col_offset = place.end_column if ends_after else place.column
    code = compile(module, place.file, "exec", dont_inherit=True)
    return code.replace(co_name=place.function, co_qualname=place.function)
