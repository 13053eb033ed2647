"""``np.unravel_index`` and ``np.ravel_multi_index``: places in an array and in its elements in a row.

np.unravel_index(np.argmax(x), x.shape)      # the row and the column of the largest element
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from autograph._src.numpy.calls.registry import overload
from autograph._src.numpy.elementwise.ufuncs import apply
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.sizes import sizes_given
from autograph._src.staging.tensors.tensor import Form, Tensor, wrap
from autograph._src.staging.trace.active import type_error, value_error
from autograph._src.staging.trace.statements import record_failure_of


def _steps(sizes: Sequence[Any], order: object) -> list[Any]:
    """How many elements lie between neighbours along each axis."""
    if order not in ("C", "F"):
        raise value_error(f"only 'C' or 'F' order is permitted, not {order!r}")
    ordered = sizes if order == "F" else sizes[::-1]
    steps = list(itertools.accumulate(ordered, lambda step, size: step * size, initial=1))[:-1]
    return steps if order == "F" else steps[::-1]


def _integers(value: Any) -> Tensor:
    """Indices as numbers of 64 bits; a bool is 0 or 1."""
    given = lift(value)
    if given.dtype.kind not in "biu":
        raise type_error("only int indices permitted")
    return lift(given.astype(np.int64))


def _are_within(indices: Tensor, size: Any) -> Tensor:
    """Whether all indices are places of an axis."""
    inside = apply(np.bitwise_and, apply(np.greater_equal, indices, 0), apply(np.less, indices, size))
    return wrap(lift(np.all(inside)).read(), Form.PYTHON)


@overload(np.unravel_index)
def _unravel_index(indices: Any, shape: Any, order: Any = "C") -> tuple[Any, ...]:
    sizes, places = sizes_given(shape), _integers(indices)
    if not sizes:
        raise value_error("multiple indices are not supported for 0d array")
    count: Any = 1
    for size in sizes:
        count = count * size
    record_failure_of(
        _are_within(places, count),
        ValueError,
        lambda given: np.unravel_index(given[0], given[1], order),
        (places, tuple(sizes)),
    )
    last = len(sizes) - 1 if order == "F" else 0
    found = []
    for axis, (size, step) in enumerate(zip(sizes, _steps(sizes, order), strict=True)):
        along = places if isinstance(step, int) and step == 1 else apply(np.floor_divide, places, step)
        found.append(lift(along if axis == last else apply(np.remainder, along, size)))
    return tuple(wrap(one.read(), Form.ARRAY if places.ndim else Form.SCALAR) for one in found)


@overload(np.ravel_multi_index)
def _ravel_multi_index(multi_index: Any, dims: Any, mode: Any = "raise", order: str = "C") -> Any:
    sizes = sizes_given(dims)
    given = [_integers(one) for one in multi_index]
    if len(given) != len(sizes):
        raise value_error(f"parameter multi_index must be a sequence of length {len(sizes)}")
    modes = [mode] * len(sizes) if isinstance(mode, str) else list(mode)
    total: Any = 0
    places: Any
    for places, size, step, one in zip(given, sizes, _steps(sizes, order), modes, strict=True):
        if one == "clip":
            places = np.clip(places, 0, size - 1)
        elif one == "wrap":
            places = apply(np.remainder, places, size)
        else:
            ok = _are_within(places, size)
            record_failure_of(ok, ValueError, _refuse_coordinates, (places,))
        total = apply(np.add, total, apply(np.multiply, places, step))
    total = lift(total)
    return wrap(total.read(), Form.ARRAY if total.ndim else Form.SCALAR)


def _refuse_coordinates(given: Any) -> object:
    raise ValueError("invalid entry in coordinates array")
