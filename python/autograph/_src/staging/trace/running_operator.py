"""Finds out which operator or instruction of the program has called a special method such as `__add__`."""

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
"""The operators with an in-place form, named as in `__add__`, `__radd__`, `__iadd__`."""

_IN_PLACE = 13
"""CPython's arguments of ``BINARY_OP`` from this number on are the in-place operators."""

_UPDATES = ("update_item", "update_attr")
"""Our operators that stand for `a[i] += b` and `a.x += b`; they call `operator.iadd` and its like."""


def is_in_place() -> bool:
    """Whether the running statement is an augmented assignment such as ``+=``."""
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
    """Whether the running instruction is this comparison.

    The special method does not tell: for `1 > x` Python calls `x.__lt__(1)`.
    """
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and is_internal_file(frame.f_code.co_filename):
        frame = frame.f_back
    if frame is None:
        return False
    return _comparisons(frame.f_code).get(frame.f_lasti) == symbol


@functools.cache
def _comparisons(code: CodeType) -> dict[int, str]:
    """The symbols of a code object's comparisons, by byte offset."""
    return {
        one.offset: one.argrepr.removeprefix("bool(").removesuffix(")")
        for one in dis.get_instructions(code)
        if one.opname == "COMPARE_OP"
    }


def unpacked_count() -> int | None:
    """How many targets `a, b, c = value` has; call it from the ``__iter__`` of the value.

    ``None`` if something other than such an unpacking called ``__iter__``.
    """
    frame = sys._getframe(2)
    code, place = frame.f_code.co_code, frame.f_lasti
    return code[place + 1] if dis.opname[code[place]] == "UNPACK_SEQUENCE" else None


def running_opcode() -> str:
    """The instruction that called a special method; call it from that method."""
    frame = sys._getframe(2)
    return dis.opname[frame.f_code.co_code[frame.f_lasti]]
