"""``a, b = xs`` of a list whose length only the run knows: the statement says how many it wants.

for low, high in intervals:     # each a list in a list, with two elements or a ValueError
    ...
"""

from __future__ import annotations

from autograph._src.staging.tensors.python_scalars import compare, negate, require
from autograph._src.staging.tensors.tensor import Tensor


def require_count(length: Tensor, count: int) -> None:
    """The run fails, in CPython's words, unless there are so many elements."""
    for fewer in range(count):
        message = f"not enough values to unpack (expected {count}, got {fewer})"
        require(negate(compare("equal", length, fewer)), ValueError, message)
    require(compare("equal", length, count), ValueError, f"too many values to unpack (expected {count})")
