"""``np.gradient`` along coordinates of the run.

NumPy divides by one distance where all are equal, and weighs the neighbours by their distances elsewhere.
Only the run knows which: both are recorded, and it chooses.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph._src.numpy.calls.registry import OVERLOADS, overload, rank_of
from autograph._src.numpy.elementwise.ufuncs import apply
from autograph._src.numpy.reductions.reductions import normal_axes
from autograph._src.numpy.shapes.shapes import select
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.sizes import differ, ensure, equal
from autograph._src.staging.tensors.tensor import Form, Tensor, wrap
from autograph._src.staging.trace.active import value_error

_borrowed_gradient = OVERLOADS[np.gradient]


@overload(np.gradient)
def _gradient(f: object, *varargs: Any, axis: Any = None, edge_order: Any = 1) -> Any:
    if not any(isinstance(one, Tensor) and one.ndim for one in varargs):
        return _borrowed_gradient(f, *varargs, axis=axis, edge_order=edge_order)
    x = lift(f)
    axes = list(range(x.ndim)) if axis is None else normal_axes(axis, x.ndim)
    if len(varargs) != len(axes):
        raise TypeError("invalid number of arguments")
    results = [_along(x, one, spacing, edge_order) for one, spacing in zip(axes, varargs, strict=True)]
    return results[0] if len(results) == 1 else tuple(results)


def _along(f: Tensor, axis: int, spacing: Any, edge_order: Any) -> Any:
    """The slopes along an axis, at coordinates or at equal distances."""
    if rank_of(spacing) == 0:
        return _borrowed_gradient(f, spacing, axis=axis, edge_order=edge_order)
    places = lift(spacing)
    if places.ndim != 1:
        raise value_error("distances must be either scalars or 1d")
    unlike = value_error("when 1d, distances must match the length of the corresponding dimension")
    if differ(places.sizes[0], f.sizes[axis]):
        raise unlike
    ensure(equal(places.shape[0], f.shape[axis]), unlike)
    distances: Any = np.diff(places.astype(np.float64) if places.dtype.kind in "iu" else places)
    evenly = _borrowed_gradient(f, distances[0], axis=axis, edge_order=edge_order)
    are_equal = wrap(lift(np.all(apply(np.equal, distances, distances[0]))).read(), Form.PYTHON)
    if f.dtype.kind in "biu":
        f = lift(f.astype(np.float64))
    moved: Any = np.moveaxis(f, axis, -1)  # type: ignore[type-var]
    unevenly = np.moveaxis(_weighted(moved, distances, edge_order), -1, axis)
    return lift(select(are_equal, evenly, lift(unevenly).astype(lift(evenly).dtype)))


def _weighted(f: Any, distances: Any, edge_order: Any) -> Any:
    """The slopes along the last axis, by weights of three neighbours; of two at the ends for order 1."""
    before, after = distances[:-1], distances[1:]
    left = -after / (before * (before + after))
    middle = (after - before) / (before * after)
    right = before / (after * (before + after))
    inner = left * f[..., :-2] + middle * f[..., 1:-1] + right * f[..., 2:]
    if edge_order == 1:
        first = (f[..., 1:2] - f[..., :1]) / distances[:1]
        last = (f[..., -1:] - f[..., -2:-1]) / distances[-1:]
        return np.concatenate([first, inner, last], axis=-1)
    one, two = distances[:1], distances[1:2]
    first = (
        -(2.0 * one + two) / (one * (one + two)) * f[..., :1]
        + (one + two) / (one * two) * f[..., 1:2]
        + -one / (two * (one + two)) * f[..., 2:3]
    )
    one, two = distances[-2:-1], distances[-1:]
    last = (
        two / (one * (one + two)) * f[..., -3:-2]
        + -(two + one) / (one * two) * f[..., -2:-1]
        + (2.0 * two + one) / (two * (one + two)) * f[..., -1:]
    )
    return np.concatenate([first, inner, last], axis=-1)
