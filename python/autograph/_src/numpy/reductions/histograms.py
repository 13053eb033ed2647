"""``histogramdd`` and ``histogram2d``: each sample adds to the cell that it falls into.

As in NumPy, the cells have one extra row on each side for samples outside of the bins, which is cut off at
the end.
"""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from autograph._src.numpy.calls.options import holds_staged
from autograph._src.numpy.calls.registry import overload, rank_of
from autograph._src.numpy.elementwise.ufuncs import apply
from autograph._src.numpy.shapes.shapes import select
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, wrap
from autograph._src.staging.trace.active import type_error, value_error


@overload(np.histogramdd)
def _histogramdd(
    sample: Any, bins: Any = 10, range: Any = None, density: object = None, weights: object = None
) -> tuple[Tensor, list[Tensor]]:
    points = _points(sample)
    count, dimensions = points.shape
    bins = _of_each(bins, dimensions)
    limits = [None] * dimensions if range is None else list(range)
    if len(limits) != dimensions:
        raise value_error("range argument must have one entry per dimension")
    columns = [lift(points[:, axis]) for axis in builtins.range(dimensions)]
    parts = zip(columns, bins, limits, builtins.range(dimensions), strict=True)
    edges = [_edges(*part) for part in parts]
    sizes = [edge.size + 1 for edge in edges]
    cells: Tensor = lift(np.zeros(count, np.int64))
    for column, edge, size in zip(columns, edges, sizes, strict=True):
        place = np.searchsorted(edge, column, side="right")
        # A sample on the last edge belongs to the last bin.
        cells = cells * size + (place - (column == edge[-1]))
    histogram: Any = lift(np.zeros(int(np.prod(sizes))))
    added = np.ones(count) if weights is None else lift(weights).astype(np.float64)
    np.add.at(histogram, cells, added)
    inner = tuple(slice(1, -1) for _ in sizes)
    histogram = np.reshape(histogram, sizes)[inner].copy()
    if density:
        total = np.sum(histogram)
        for axis, edge in enumerate(edges):
            widths = np.diff(edge)
            histogram = histogram / np.reshape(widths, [-1 if one == axis else 1 for one in _axes(sizes)])
        histogram = histogram / total
    return wrap(lift(histogram).read(), Form.ARRAY), edges


def _axes(sizes: Sequence[int]) -> Sequence[int]:
    return builtins.range(len(sizes))


def _points(sample: object) -> Tensor:
    """An array of points, or one sequence for each dimension."""
    x = lift(sample)
    if not isinstance(sample, (list, tuple)) and x.ndim == 2:
        return x
    if not x.ndim:
        raise type_error("`sample` of `np.histogramdd` is a number")
    return lift(np.transpose(np.atleast_2d(x)))


def _of_each(bins: object, dimensions: int) -> list[Any]:
    if isinstance(bins, (list, tuple)) or (isinstance(bins, (np.ndarray, Tensor)) and bins.ndim):
        if len(bins) != dimensions:
            raise value_error("The dimension of bins must be equal to the dimension of the sample x.")
        return list(bins)
    return [bins] * dimensions


def _edges(column: Tensor, bins: Any, limits: object, axis: int) -> Tensor:
    """The bin edges of one dimension: ``bins`` itself, or that many equal bins between two ends."""
    if rank_of(bins) == 1:
        edges = lift(bins)
        rises = np.all(apply(np.less_equal, edges[:-1], edges[1:]))
        message = f"`bins[{axis}]` must be monotonically increasing, when an array"
        emit("check", lift(rises).read(), "ValueError", message)
        return edges
    if holds_staged(bins) or not isinstance(bins, (int, np.integer)):
        raise type_error(f"`bins[{axis}]` must be an integer, when a scalar")
    if bins < 1:
        raise value_error(f"`bins[{axis}]` must be positive, when an integer")
    return lift(np.linspace(*_ends(column, limits), int(bins) + 1))


def _ends(column: Tensor, limits: Any) -> tuple[Any, Any]:
    """The outer edges: the given limits, or the smallest and the largest value."""
    if limits is not None:
        first, last = limits
        if not holds_staged(limits) and first > last:
            raise value_error("max must be larger than min in range parameter.")
    elif column.size == 0:
        return 0, 1
    else:
        first, last = np.min(column), np.max(column)
    finite = apply(np.bitwise_and, apply(np.isfinite, first), apply(np.isfinite, last))
    emit("check", lift(finite).read(), "ValueError", "the range of the bins is not finite")
    is_one = apply(np.equal, first, last)
    low, high = apply(np.multiply, first, 1.0), apply(np.multiply, last, 1.0)
    return select(is_one, apply(np.subtract, low, 0.5), low), select(is_one, apply(np.add, high, 0.5), high)


@overload(np.histogram2d)
def _histogram2d(
    x: object,
    y: object,
    bins: Any = 10,
    range: Any = None,
    density: bool | None = None,
    weights: ArrayLike | None = None,
) -> object:
    if len(lift(x)) != len(lift(y)):
        raise value_error("x and y must have the same length.")
    is_several = isinstance(bins, (list, tuple)) or (isinstance(bins, (np.ndarray, Tensor)) and bins.ndim)
    if is_several and len(bins) not in (1, 2):
        bins = [bins, bins]
    histogram, edges = np.histogramdd(np.stack([lift(x), lift(y)], 1), bins, range, density, weights)
    return histogram, edges[0], edges[1]
