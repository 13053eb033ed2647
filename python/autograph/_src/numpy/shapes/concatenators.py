"""``np.r_[a, 0, b]`` and ``np.c_[a, b]``: arrays that are joined by indexing.

A slice is a range, of so many elements at equal distances if its step is imaginary. Python numbers adapt to
the dtypes of the others, as in NumPy's arithmetic.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph._src.numpy.calls.metadata import plain_type
from autograph._src.numpy.shapes.shapes import concatenate, reshape
from autograph._src.staging.tensors.lifting import is_python_scalar, lift
from autograph._src.staging.tensors.tensor import Tensor
from autograph._src.staging.trace.active import staging_error

JOINERS = (type(np.r_), type(np.c_))
"""The classes of ``np.r_`` and ``np.c_``."""


def joined_by_index(target: Any, key: Any) -> Any:
    """``np.r_[key]`` or ``np.c_[key]``."""
    # The axis along which it joins, and the least number of dimensions.
    axis, rank = (0, 1) if target is np.r_ else (-1, 2)
    items = key if isinstance(key, tuple) else (key,)
    if any(isinstance(item, str) for item in items):
        message = f"`np.{'r_' if target is np.r_ else 'c_'}` with directions in a string"
        raise staging_error("AG120", message, "join the arrays with `np.concatenate`")
    arrays = [_range_of(item) if isinstance(item, slice) else item for item in items]
    kinds = [plain_type(one) if is_python_scalar(one) else lift(one).dtype for one in arrays]
    dtype = np.result_type(*kinds)
    return concatenate([_at_least(lift(one).astype(dtype), rank) for one in arrays], axis)


def _range_of(part: slice) -> Any:
    start, stop, step = (0 if part.start is None else part.start), part.stop, part.step
    if isinstance(step, complex):
        return np.linspace(start, stop, int(abs(step)), endpoint=True)
    return np.arange(start, stop, 1 if step is None else step)


def _at_least(x: Tensor, rank: int) -> Tensor:
    """An array with so many dimensions at least; a vector becomes a column."""
    if x.ndim >= rank:
        return x
    sizes = (1,) * rank if not x.ndim else (*x.shape, *(1,) * (rank - x.ndim))
    return reshape(x, sizes)
