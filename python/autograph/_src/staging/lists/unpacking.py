"""``a, b = xs`` of a list whose length only the run knows.

    for low, high in intervals:     # the run raises ValueError if an element has not two elements
        ...

The number of targets gives the number of elements to take.
"""

from __future__ import annotations

from autograph._src.staging.tensors.python_scalars import compare, negate, require
from autograph._src.staging.tensors.tensor import Tensor


def require_count(length: Tensor, count: int) -> None:
    """Records that the run raises CPython's ValueError unless there are ``count`` elements."""
    for fewer in range(count):
        message = f"not enough values to unpack (expected {count}, got {fewer})"
        require(negate(compare("equal", length, fewer)), ValueError, message)
    require(compare("equal", length, count), ValueError, f"too many values to unpack (expected {count})")
