"""``np.repeat`` and ``np.tile``."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph._src.numpy.calls.options import holds_staged
from autograph._src.numpy.calls.registry import overload, unsupported_option
from autograph._src.numpy.elementwise.ufuncs import apply
from autograph._src.numpy.reductions.reductions import normal_axis
from autograph._src.numpy.shapes.shapes import concatenate, ravel, reshape
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.positions import number
from autograph._src.staging.tensors.sizes import differ, ensure, equal, positions
from autograph._src.staging.tensors.tensor import Form, Tensor, wrap
from autograph._src.staging.trace.active import type_error, value_error


@overload(np.repeat)
def _repeat(a: object, repeats: Any, axis: object = None) -> object:
    x = ravel(a) if axis is None else lift(a)
    place = normal_axis(axis or 0, x.ndim)
    size = x.shape[place]
    if not holds_staged(repeats) and isinstance(size, int):
        return np.take(x, np.repeat(np.arange(size), repeats), axis=place)
    if type(repeats) is int:
        # Each position occurs `repeats` times in a row.
        return np.take(x, positions(0, 1, size * repeats) // repeats, axis=place)
    return np.take(x, _positions_of(lift(repeats), size), axis=place)


def _positions_of(counts: Tensor, size: Any) -> Tensor:
    """Each position as often as its count says, for one count or one for each position.

    >>> import numpy as np
    >>> np.searchsorted(np.cumsum([2, 0, 1]), np.arange(3), side="right")
    array([0, 0, 2])
    """
    if not np.can_cast(counts.dtype, np.int64, "safe"):
        raise type_error(
            f"Cannot cast array data from {counts.dtype!r} to dtype('int64') according to the rule 'safe'"
        )
    if counts.ndim > 1:
        raise value_error("object too deep for desired array")
    counts = lift(counts.astype(np.int64))
    if counts.ndim and differ(counts.sizes[0], 1):
        ensure(
            equal(counts.shape[0], size),
            value_error(
                f"operands could not be broadcast together with shape ({size},) ({counts.shape[0]},)"
            ),
        )
    is_allowed = wrap(lift(np.all(apply(np.greater_equal, counts, 0))).read(), Form.PYTHON)
    is_one = not counts.ndim
    ensure(
        is_allowed,
        value_error(
            "negative dimensions are not allowed" if is_one else "repeats may not contain negative values."
        ),
    )
    ends: Any = np.cumsum(np.broadcast_to(counts, (size,)))
    total = number(lift(np.max(ends, initial=0)))
    return lift(np.searchsorted(ends, positions(0, 1, total), side="right"))


@overload(np.tile)
def _tile(A: object, reps: object) -> Tensor:  # noqa: N803
    x = lift(A)
    counts = list(reps) if isinstance(reps, (tuple, list)) else [reps]
    if any(isinstance(count, float) for count in counts):
        raise unsupported_option(np.tile, "reps")
    rank = max(len(counts), x.ndim)
    counts = [1] * (rank - len(counts)) + counts
    result = reshape(x, (1,) * (rank - x.ndim) + x.shape)
    for axis, count in enumerate(counts):
        before = (slice(None),) * axis
        result = concatenate([result] * count, axis) if count else lift(result[(*before, slice(0, 0))])
    return result
