"""``a, b = xs`` of a list whose length only the run knows: the statement says how many it wants.

for low, high in intervals:     # each a list in a list, with two elements or a ValueError
    ...
"""

from __future__ import annotations

import dis
import sys

from autograph.staging.python_scalars import compare, negate, require
from autograph.staging.tensor import Tensor


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


def require_count(length: Tensor, count: int) -> None:
    """The run fails, in CPython's words, unless there are so many elements."""
    for fewer in range(count):
        message = f"not enough values to unpack (expected {count}, got {fewer})"
        require(negate(compare("equal", length, fewer)), ValueError, message)
    require(compare("equal", length, count), ValueError, f"too many values to unpack (expected {count})")
