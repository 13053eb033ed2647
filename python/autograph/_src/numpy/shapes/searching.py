"""Positions in sorted sequences: ``searchsorted``, ``digitize``, ``interp``, ``histogram``."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from autograph._src.numpy.calls.borrowed import COMPILED, STANDINS
from autograph._src.numpy.calls.options import holds_staged
from autograph._src.numpy.calls.registry import (
    CREATORS,
    overload,
    rank_of,
    unsupported_option,
)
from autograph._src.numpy.elementwise.float_ufuncs import is_negative
from autograph._src.numpy.elementwise.ufuncs import apply, operand_dtype, resolve
from autograph._src.numpy.shapes.shapes import promoted, select
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.python_scalars import compare, require, truth
from autograph._src.staging.tensors.sizes import (
    at_least,
    differ,
    ensure,
    equal,
    is_empty,
    is_known,
    may_be_equal,
    size_of,
)
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, wrap
from autograph._src.staging.trace.active import value_error
from autograph._src.staging.trace.statements import record_failure_of


def places(ordered: Tensor, values: Tensor, side: str) -> Tensor:
    """For each value, how many elements sort before it (``"left"``) or not after it (``"right"``)."""
    flat = values if values.ndim == 1 else lift(np.ravel(values))
    found = wrap(emit("search", ordered.read(), flat.read(), side == "right"), Form.ARRAY)
    return found if values.ndim == 1 else wrap(emit("reshape", found.read(), list(values.shape)), Form.ARRAY)


def _within(place: Tensor, size: Tensor | int) -> Tensor:
    return lift(apply(np.minimum, place, size - 1))


@overload(np.searchsorted)
def _searchsorted(a: object, v: object, side: str = "left", sorter: object = None) -> Tensor:
    x, values = (lift(one) for one in promoted([lift(a), lift(v)]))
    if x.ndim != 1:
        raise value_error("object too deep for desired array" if x.ndim else "object of too small depth")
    if side not in ("left", "right"):
        raise value_error(f"search side must be 'left' or 'right' (got {side!r})")
    if sorter is not None:
        x = lift(x[sorter])
    result = places(x, values, side)
    return wrap(emit("reshape", result.read(), list(values.shape)))


@overload(np.digitize)
def _digitize(x: ArrayLike, bins: ArrayLike, right: bool = False) -> Tensor:
    values, edges = lift(x), lift(bins)
    if edges.ndim != 1:
        raise value_error("object of too small depth for desired array")
    side = "left" if right else "right"
    lower, higher = edges[:-1], edges[1:]
    rises, falls = np.all(apply(np.less_equal, lower, higher)), np.all(apply(np.greater_equal, lower, higher))
    message = "bins must be monotonically increasing or decreasing"
    emit("check", lift(apply(np.bitwise_or, rises, falls)).read(), "ValueError", message)
    ordered = select(rises, edges, edges[::-1])
    found = _searchsorted(ordered, values, side=side)
    return select(rises, found, apply(np.subtract, edges.size, found))


def _interpolate(x: object, xp: object, fp: object, left: object = None, right: object = None) -> Tensor:
    """The function that ``np.interp`` calls with prepared arguments."""
    at, known, heights = (lift(one).astype(np.float64) for one in (x, xp, fp))
    if known.ndim != 1 or heights.ndim != 1:
        raise value_error("Data points must be 1-D sequences")
    if known.sizes == (0,):
        raise value_error("array of sample points is empty")
    if differ(known.sizes[0], heights.sizes[0]):
        raise value_error("fp and xp are not of the same length.")
    size = known.shape[0]
    if isinstance(size, Tensor):
        require(compare("greater", size, 0), ValueError, "array of sample points is empty")
    first = apply(np.maximum, apply(np.subtract, places(known, at, "right"), 1), 0)
    second = _within(apply(np.add, first, 1), size)
    x0, x1, y0, y1 = known[first], known[second], heights[first], heights[second]
    # Beyond the last point there is no interval. The value there is not used, but has to be finite.
    width = select(apply(np.equal, first, second), 1.0, apply(np.subtract, x1, x0))
    slope = apply(np.divide, apply(np.subtract, y1, y0), width)
    inner = apply(np.add, apply(np.multiply, slope, apply(np.subtract, at, x0)), y0)
    from_right = apply(np.add, apply(np.multiply, slope, apply(np.subtract, at, x1)), y1)
    from_right = select(_both(apply(np.isnan, from_right), apply(np.equal, y0, y1)), y0, from_right)
    inner = select(apply(np.isnan, inner), from_right, inner)
    inner = select(apply(np.equal, at, x0), _at_knot(y0, slope, apply(np.subtract, at, x0)), inner)
    last = known[size - 1]
    below = heights[0] if left is None else lift(left).astype(np.float64)
    above = heights[size - 1] if right is None else lift(right).astype(np.float64)
    at_last = _at_knot(heights[size - 1], _last_slope(known, heights, size), apply(np.subtract, at, last))
    result = select(apply(np.equal, at, last), at_last, inner)
    result = select(apply(np.greater, at, last), above, result)
    result = select(apply(np.less, at, known[0]), below, result)
    # With a single point NumPy only compares, so NaN is neither below nor above it.
    is_single = size == 1
    for_nan = heights[0] if is_single is True else at
    if isinstance(is_single, Tensor):
        for_nan = select(is_single, heights[0], at)
    return wrap(lift(select(apply(np.isnan, at), for_nan, result)).read())


def _last_slope(known: Tensor, heights: Tensor, size: Any) -> object:
    """The slope of the last interval; 0 if there is one point only."""
    before = np.maximum(size - 2, 0) if isinstance(size, Tensor) else max(size - 2, 0)
    width = apply(np.subtract, known[size - 1], known[before])
    width = select(apply(np.equal, width, 0.0), 1.0, width)
    return apply(np.divide, apply(np.subtract, heights[size - 1], heights[before]), width)


def _at_knot(height: object, slope: object, distance: object) -> Tensor:
    """The height of a knot, with the derivative of an interval that ends there, if that has a slope.

    ``slope * distance`` is a zero there, and a zero height keeps its sign.
    """
    line = apply(np.add, apply(np.multiply, slope, distance), height)
    minus_zero = apply(np.negative, apply(np.add, apply(np.negative, line), 0.0))
    zero = select(is_negative(height), minus_zero, apply(np.add, line, 0.0))
    line = select(apply(np.equal, height, 0.0), zero, line)
    return select(apply(np.isfinite, slope), line, height)


def _both(x: object, y: object) -> object:
    return apply(np.bitwise_and, x, y)


STANDINS[COMPILED.multiarray.interp] = _interpolate


@overload(np.histogram)
def _histogram(
    a: object, bins: object = 10, range: object = None, density: object = None, weights: object = None
) -> tuple[Any, Tensor] | tuple[Tensor, Tensor]:
    added = lift(np.int64(1)) if weights is None else _weights_of(a, weights)
    values = lift(np.ravel(lift(a)))
    edges = _edges(values, bins, range)
    if isinstance(bins, (int, np.integer)) and is_known(values.shape):
        counts = _sums_in_equal_bins(values, edges, int(bins), added)
    else:
        counts = _sums_between(values, edges, added)
    if density:
        return counts / lift(np.diff(edges)).astype(float) / np.sum(counts), edges
    return wrap(counts.read(), Form.ARRAY), edges


def _weights_of(a: object, weights: object) -> Tensor:
    """What each element adds to its bin."""
    given = lift(weights)
    if given.dtype.kind not in "iuf":
        raise unsupported_option(np.histogram, "weights")
    if not may_be_equal(given.sizes, lift(a).sizes):
        raise value_error("weights should have the same shape as a.")
    for one, other in zip(given.shape, lift(a).shape, strict=True):
        ensure(equal(one, other), value_error("weights should have the same shape as a."))
    return lift(np.ravel(given))


def _sums_between(values: Tensor, edges: Tensor, added: Tensor) -> Tensor:
    """What values add to each bin, whose edges ascend; the last bin has its right edge too."""
    x, ends = (lift(one) for one in promoted([values, edges]))
    count, last = ends.shape[0], ends[-1]
    place = places(ends, x, "right")
    is_last = apply(np.equal, place, count)
    is_beyond = apply(np.greater, x, last)
    if x.dtype.kind == "f":  # NaN sorts last.
        is_nan = _both(apply(np.not_equal, x, x), apply(np.equal, last, last))
        is_beyond = apply(np.bitwise_or, is_beyond, is_nan)
    in_last = _both(is_last, apply(np.logical_not, is_beyond))
    place = lift(apply(np.subtract, place, lift(in_last).astype(np.int64)))
    # Those before the first edge are counted first, those beyond the last one at the end.
    return lift(_sums(place, added, count + 1)[1:-1])


def _sums(place: Tensor, added: Tensor, count: Any) -> Tensor:
    """What is added at each of ``count`` places."""
    start = emit("broadcast", lift(added.dtype.type(0)).read(), [count])
    return wrap(emit("scatter_add", start, added.read(), [place.read()], 0), Form.ARRAY)


def _sums_in_equal_bins(values: Tensor, edges: Tensor, count: int, added: Tensor) -> Tensor:
    """What values add to each bin: computes the bin of each, as NumPy does, corrected by the edges."""
    x = lift(values.astype(edges.dtype))
    first, last = edges[0], edges[-1]
    is_within = _both(apply(np.greater_equal, x, first), apply(np.less_equal, x, last))
    width = apply(np.subtract, last, first)
    share = apply(np.divide, apply(np.subtract, x, first), width).astype(np.float64)
    # Neither NaN nor what is beyond the bins becomes an integer.
    share = select(
        _both(is_within, apply(np.equal, share, share)), apply(np.multiply, share, float(count)), 0.0
    )
    place = lift(apply(np.minimum, share, float(count - 1))).astype(np.int64)
    place = apply(np.subtract, place, apply(np.less, x, edges[place]).astype(np.int64))
    is_later = _both(
        apply(np.greater_equal, x, edges[apply(np.add, place, 1)]), apply(np.not_equal, place, count - 1)
    )
    place = apply(np.add, place, lift(is_later).astype(np.int64))
    # One more bin for all that is in none.
    bins = lift(select(is_within, place, count))
    return lift(_sums(bins, added, count + 1)[:-1])


@overload(np.histogram_bin_edges)
def _histogram_bin_edges(
    a: object, bins: object = 10, range: object = None, weights: object = None
) -> Tensor:
    return _edges(lift(np.ravel(lift(a))), bins, range, np.histogram_bin_edges)


def _edges(values: Tensor, bins: Any, limits: Any, function: Callable[..., Any] = np.histogram) -> Tensor:
    """The edges of the bins."""
    if isinstance(bins, str):
        raise unsupported_option(function, "bins")
    if rank_of(bins) == 0 and (holds_staged(bins) or holds_staged(limits) or limits is None):
        return _equal_bins(values, bins, limits)
    if not holds_staged(bins):
        return lift(np.histogram_bin_edges(np.zeros(0, values.dtype), bins, limits))
    edges = lift(bins)
    rises = np.all(apply(np.less_equal, edges[:-1], edges[1:]))
    emit("check", lift(rises).read(), "ValueError", "`bins` must increase monotonically, when an array")
    return edges


def _equal_bins(values: Tensor, bins: Any, limits: Any) -> Tensor:
    """The edges of ``bins`` bins of equal width, between the limits or the extreme values."""
    if values.dtype.kind == "b":
        values = lift(values.astype(np.uint8))
    count = size_of(bins)
    ensure(at_least(count, 1), value_error("`bins` must be positive, when an integer"))
    first, last = _ends(values) if limits is None else (lift(limit) for limit in limits)
    kind = np.result_type(first.dtype, last.dtype, values.dtype)
    if kind.kind in "iu":
        kind = np.result_type(kind, float)
    ends_in = resolve(np.true_divide, (operand_dtype(first), operand_dtype(last)))[0]
    low, high = lift(first.astype(ends_in)), lift(last.astype(ends_in))
    is_right = truth(lift(np.isfinite(low) & np.isfinite(high) & (low <= high)))
    ends = (low, high)
    # A run fails with NumPy's error for these values or limits.
    record_failure_of(is_right, ValueError, lambda both: np.histogram_bin_edges(*_sample(both, limits)), ends)
    is_point = low == high
    low, high = (select(is_point, edge + by, edge) for edge, by in ((low, -0.5), (high, 0.5)))
    edges = lift(CREATORS[np.linspace](low, high, count + 1, dtype=kind))
    if _refuses_bins_without_width():
        rises = truth(lift(np.all(apply(np.less, edges[:-1], edges[1:]))))
        record_failure_of(rises, ValueError, _refuse_count, lift(count))
    return edges


@functools.cache
def _refuses_bins_without_width() -> bool:
    """Whether this version of NumPy checks that the edges it has made differ."""
    try:
        np.histogram_bin_edges([2.0**62], 10)
    except ValueError:
        return True
    return False


def _refuse_count(count: object) -> None:
    raise ValueError(f"Too many bins for data range. Cannot create {count} finite-sized bins.")


def _ends(values: Tensor) -> tuple[Tensor, Tensor]:
    """The smallest and the largest value; 0 and 1 if there are no values."""
    if is_empty(values.shape):
        return lift(values.dtype.type(0)), lift(values.dtype.type(1))
    if is_known(values.shape):
        return lift(np.min(values)), lift(np.max(values))
    # The first value once more, or a substitute, ensures that there is at least one.
    is_none = lift(equal(values.size, 0))
    first = lift(np.concatenate([values, np.zeros(1, values.dtype)]))[:1]
    both = lift(np.concatenate([values, first]))
    one = values.dtype.type(1)
    return lift(np.min(both)), lift(select(is_none, one, np.max(both)))


def _sample(ends: tuple[Any, Any], limits: object) -> tuple[Any, ...]:
    """Arguments with which NumPy raises its error about the ends of the bins."""
    return (list(ends), 1) if limits is None else ([0.0], 1, ends)
