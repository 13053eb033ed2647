"""The operators of Python, and which one of the program is running when a special method asks."""

from __future__ import annotations

import dis
import functools
import sys
from types import CodeType, FrameType

from autograph._src.backends.protocol import active_backend
from autograph._src.staging.trace.frames import is_internal_file

ARITHMETIC = (
    *("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul"),
    *("and", "or", "xor", "lshift", "rshift"),
)
"""The operators that have a form in place, as their methods are named: `__add__`, `__radd__`, `__iadd__`."""

_IN_PLACE = 13
"""From this number on, CPython's kinds of ``BINARY_OP`` are in place."""

_UPDATES = ("update_item", "update_attr")
"""Functions of converted code that run `operator.iadd`."""


def is_in_place() -> bool:
    """Whether it is ``+=`` or its like."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and is_internal_file(frame.f_code.co_filename):
        if frame.f_code.co_name in _UPDATES:
            return True
        frame = frame.f_back
    if frame is None or active_backend() is None:
        return False
    code, place = frame.f_code.co_code, frame.f_lasti
    return dis.opname[code[place]] == "BINARY_OP" and code[place + 1] >= _IN_PLACE


def is_comparison(symbol: str) -> bool:
    """Whether it is this comparison: `1 > x` asks `x < 1` where an int knows no answer."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and is_internal_file(frame.f_code.co_filename):
        frame = frame.f_back
    if frame is None:
        return False
    return _comparisons(frame.f_code).get(frame.f_lasti) == symbol


@functools.cache
def _comparisons(code: CodeType) -> dict[int, str]:
    """The comparisons of a code object by their places."""
    return {
        one.offset: one.argrepr.removeprefix("bool(").removesuffix(")")
        for one in dis.get_instructions(code)
        if one.opname == "COMPARE_OP"
    }


def unpacked_count() -> int | None:
    """How many elements the statement unpacks that asks an object's ``__iter__``, which asks this.

    ``None`` if it is no such statement.
    """
    frame = sys._getframe(2)
    code, place = frame.f_code.co_code, frame.f_lasti
    return code[place + 1] if dis.opname[code[place]] == "UNPACK_SEQUENCE" else None


def running_opcode() -> str:
    """The instruction that asks an object's special method, which asks this."""
    frame = sys._getframe(2)
    return dis.opname[frame.f_code.co_code[frame.f_lasti]]
