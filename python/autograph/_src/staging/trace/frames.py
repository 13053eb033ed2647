"""Which line of the user's program is running: the innermost frame outside this package and NumPy."""

from __future__ import annotations

import contextlib
import os
import sys
from abc import ABCMeta
from collections.abc import Callable
from types import CodeType, FrameType, TracebackType

import numpy as np

from autograph import _core
from autograph._src.load import is_block
from autograph._src.tracebacks import entries_of, linked
from autograph.errors import Location

_INTERNAL_FOLDERS = (
    os.path.dirname(os.path.abspath(_core.__file__)) + os.sep,
    os.path.dirname(os.path.abspath(np.__file__)) + os.sep,
    os.path.abspath(contextlib.__file__),
)


class _InternalFiles(dict[str, bool]):
    """Whether each file is internal, computed at the first lookup."""

    def __missing__(self, name: str) -> bool:
        found = self[name] = name.startswith(_INTERNAL_FOLDERS) or name.startswith("<frozen")
        return found


# Every op of a trace asks this for a dozen frames, and `dict.__getitem__` is faster than a Python function.
is_internal_file: Callable[[str], bool] = _InternalFiles().__getitem__
"""Whether a code object's file belongs to this package or to NumPy."""


def is_asked_by_us() -> bool:
    """Whether the class of a value is asked for by code of this package, seen from the value's ``__class__``.

    ``isinstance(value, numbers.Real)`` asks in Python's module of abstract classes, for whoever calls it.
    """
    frame: FrameType | None = sys._getframe(2)
    while frame is not None and frame.f_code.co_filename == _ABSTRACT_CLASSES:
        frame = frame.f_back
    return frame is not None and is_internal_file(frame.f_code.co_filename)


_ABSTRACT_CLASSES = ABCMeta.__instancecheck__.__code__.co_filename


def user_frame() -> FrameType | None:
    """The innermost frame of the user's program, or ``None`` outside any."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and is_internal_file(frame.f_code.co_filename):
        frame = frame.f_back
    return frame


def frames_of_ours() -> int:
    """How many frames lie between the caller of this function, counted too, and the user's program."""
    count, frame = 0, sys._getframe(1)
    while frame.f_back is not None and is_internal_file(frame.f_code.co_filename):
        count, frame = count + 1, frame.f_back
    return count


def location_of(code: CodeType, instruction: int) -> Location:
    """The source location of one instruction (its byte offset) of a code object."""
    return locations_of([(code, instruction)])[0]


def locations_of(instructions: list[tuple[CodeType, int]]) -> list[Location]:
    """The source locations of many instructions, as :func:`location_of` gives them."""
    places: dict[int, list[int]] = {}
    for place, (code, _) in enumerate(instructions):
        places.setdefault(id(code), []).append(place)
    found: dict[int, Location] = {}
    for of_code in places.values():
        code = instructions[of_code[0]][0]
        # Decodes the line table of a code object once for all its instructions.
        offsets = [instructions[place][1] for place in of_code]
        positions = _core.positions(code.co_linetable, code.co_firstlineno, offsets)
        for place, position in zip(of_code, positions, strict=True):
            found[place] = Location(code.co_filename, code.co_name, *position)
    return [found[place] for place in range(len(instructions))]


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
    entries = entries_of(traceback)  # A loop: recursion would overflow on the traceback of endless recursion.
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
    """Whether `inner` is a block that was split off from `function`, which may be a block itself."""
    return (
        is_block(inner)
        and inner.co_filename == function.co_filename
        and inner.co_qualname in (function.co_qualname, f"{function.co_qualname}.<locals>.<lambda>")
    )


def variable_of(value: object) -> str | None:
    """The variable of the user's running function that is bound to this very object."""
    frame = user_frame()
    variables = {} if frame is None else frame.f_locals
    return next((name for name, bound in variables.items() if bound is value), None)
