"""Which line of the user's program is running: the innermost frame outside this package and NumPy."""

from __future__ import annotations

import contextlib
import os
import sys
from collections import Counter
from collections.abc import Callable
from types import CodeType, FrameType, TracebackType
from typing import Any

import numpy as np

from autograph import _core
from autograph.errors import Location
from autograph.load import is_block
from autograph.tracebacks import entries_of, linked

_INTERNAL_FOLDERS = (
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep,
    os.path.dirname(os.path.abspath(np.__file__)) + os.sep,
    os.path.abspath(contextlib.__file__),
)


class _InternalFiles(dict[str, bool]):
    """Which files are internal, found at the first question."""

    def __missing__(self, name: str) -> bool:
        found = self[name] = name.startswith(_INTERNAL_FOLDERS) or name.startswith("<frozen")
        return found


# Every op of a trace asks this of a dozen frames: a method of a dictionary runs no Python.
is_internal_file: Callable[[str], bool] = _InternalFiles().__getitem__
"""Whether a code object's file belongs to this package or to NumPy."""


def user_frame() -> FrameType | None:
    """The innermost frame of the user's program, or ``None`` outside any."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and is_internal_file(frame.f_code.co_filename):
        frame = frame.f_back
    return frame


def location_of(code: CodeType, instruction: int) -> Location:
    """The source location of one instruction (its byte offset) of a code object."""
    found = _core.position(code.co_linetable, code.co_firstlineno, instruction)
    if found is None:
        line = code.co_firstlineno
        return Location(code.co_filename, code.co_name, line, 0, line, 0)
    line, column, end_line, end_column = found
    return Location(code.co_filename, code.co_name, line, max(column, 0), end_line, max(end_column, 0))


_ONE_BY_ONE = 20
"""Finding so many instructions costs as much as the positions of a whole code object."""


def locations_of(instructions: list[tuple[CodeType, int]]) -> list[Location]:
    """The source locations of many instructions, as :func:`location_of` gives them."""
    counts = Counter(id(code) for code, _ in instructions)
    tables = {
        id(code): list(code.co_positions())
        for code in {id(code): code for code, _ in instructions}.values()
        if counts[id(code)] > _ONE_BY_ONE
    }
    return [
        location_of(code, instruction)
        if (table := tables.get(id(code))) is None
        else _location(code, table[instruction // 2])
        for code, instruction in instructions
    ]


def _location(code: CodeType, position: tuple[int | None, int | None, int | None, int | None]) -> Location:
    line, end_line, column, end_column = position
    line = line or code.co_firstlineno
    return Location(code.co_filename, code.co_name, line, column or 0, end_line or line, end_column or 0)


def here() -> Location | None:
    """The place in the user's program that is running now."""
    frame = user_frame()
    return None if frame is None else location_of(frame.f_code, frame.f_lasti)


def user_traceback(traceback: TracebackType | None) -> TracebackType | None:
    """A traceback without the frames of this package and of NumPy.

    ``AUTOGRAPH_FULL_TRACEBACK=1`` keeps them all.
    """
    if traceback is None or os.environ.get("AUTOGRAPH_FULL_TRACEBACK") == "1":
        return traceback
    entries = entries_of(traceback)  # No recursion: a program that recurses without end has a long one.
    shown: list[TracebackType] = []
    inner: CodeType | None = None
    for one in reversed(entries):
        code = one.tb_frame.f_code
        if is_internal_file(code.co_filename):
            continue
        if inner is None or not is_around(code, inner):
            shown.append(one)
        inner = code
    return linked(shown, None)


def is_around(function: CodeType, inner: CodeType) -> bool:
    """Whether a function, or a block, is the one that a block which it runs is part of."""
    return (
        is_block(inner)
        and inner.co_filename == function.co_filename
        and inner.co_qualname in (function.co_qualname, f"{function.co_qualname}.<locals>.<lambda>")
    )


def variable_of(value: Any) -> str | None:
    """The variable of the user's running function that is bound to this very object."""
    frame = user_frame()
    variables = {} if frame is None else frame.f_locals
    return next((name for name, bound in variables.items() if bound is value), None)
