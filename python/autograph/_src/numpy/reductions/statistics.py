"""Medians and quantiles, by selecting two elements and interpolating between them.

Which two sorted elements a quantile lies between does not depend on data. NumPy itself finds them, with
positions as the data: ``np.quantile(np.arange(n), q, method=...)`` is the position of the quantile among
``n`` sorted elements, for every method that NumPy has.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from autograph._src.numpy.calls.options import holds_staged
from autograph._src.numpy.calls.registry import overload, rank_of, refuse_options, unsupported_option
from autograph._src.numpy.elementwise.ufuncs import apply, store
from autograph._src.numpy.reductions.reductions import normal_axes, reduced_size
from autograph._src.numpy.shapes.shapes import select
from autograph._src.numpy.shapes.sorting import partition_at, sort
from autograph._src.staging.narrow.narrow_tensor import is_narrow
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.python_scalars import require
from autograph._src.staging.tensors.sizes import is_empty, largest, may_be_equal
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, wrap
from autograph._src.staging.trace.active import value_error


def last_axis_of(a: object, axis: object) -> tuple[Tensor, list[int]]:
    """The array with the reduced axes joined into one last axis; and the reduced axes."""
    x = lift(a)
    axes = normal_axes(axis, x.ndim)
    kept = [one for one in range(x.ndim) if one not in axes]
    moved = np.transpose(x, [*kept, *axes])
    return np.reshape(moved, (*(x.shape[one] for one in kept), reduced_size(x, axes))), axes  # type: ignore[return-value]


def finish(
    result: object, x: object, axes: list[int], keepdims: object, out: object, first: int = 0
) -> object:
    """The result, with reduced axes of size 1 for ``keepdims``; ``first`` axes come before the array's."""
    if keepdims is True:
        sizes = [1 if axis in axes else size for axis, size in enumerate(lift(x).shape)]
        lead = list(lift(result).shape[:first])
        if is_narrow(result):
            return store(np.reshape(result, (*lead, *sizes)), out)  # type: ignore[call-overload]
        result = wrap(emit("reshape", lift(result).read(), [*lead, *sizes]), Form.ARRAY if sizes else None)
    return store(result, out)


@overload(np.median)
def _median(
    a: object,
    axis: object = None,
    out: object = None,
    overwrite_input: bool = False,
    keepdims: object = False,
) -> object:
    x, axes = last_axis_of(a, axis)
    if x.dtype.kind != "f":
        x = x.astype(np.float64)
    count = x.shape[-1]
    if isinstance(count, int) and count == 0:
        return finish(np.mean(x, axis=-1), a, axes, keepdims, out)
    if isinstance(count, int):
        ranks = ((count - 1) // 2, count // 2, count - 1)
        ordered = partition_at(x, x.ndim - 1, ranks)
        low, high, last = (ordered[..., rank] for rank in ranks)
        middle = low + 0.0 if count % 2 else (low + high) / ordered.dtype.type(2)
    else:
        ordered = lift(sort(x, -1))
        # One NaN after the elements becomes the median of an empty line.
        edge = np.broadcast_to(lift(ordered.dtype.type(np.nan)), (*ordered.shape[:-1], 1))
        padded = np.concatenate([ordered, edge], axis=-1)
        end = lift(np.maximum(count - 1, 0))
        low, high, last = (lift(padded)[..., place] for place in (end // 2, count // 2, end))
        middle = select(count % 2 == 1, low + 0.0, (low + high) / ordered.dtype.type(2))
    result = select(apply(np.isnan, last), last, middle)
    return finish(wrap(lift(result).read()), a, axes, keepdims, out)


def overload_quantile(function: Callable[..., Any], quantile: Callable[..., Any]) -> None:
    """Registers a version of a function of quantiles: ``quantile(a, q, axis, out, method, keepdims)``."""

    @overload(function)
    def implementation(
        a: object,
        q: object,
        axis: object = None,
        out: object = None,
        overwrite_input: bool = False,
        method: str = "linear",
        keepdims: object = False,
        *,
        weights: object = None,
    ) -> object:
        refuse_options(function, {"weights": weights})
        return quantile(a, q, axis, out, method, keepdims)


def _quantile_like(function: Callable[..., Any], divisor: float) -> None:
    def quantile(a: object, q: Any, axis: object, out: object, method: str, keepdims: object) -> object:
        x, axes = last_axis_of(a, axis)
        if holds_staged(q):
            shares = _shares(function, q, divisor, x)
            if method != "linear":
                raise unsupported_option(function, "method")
            return finish(_linear_quantile(x, shares), a, axes, keepdims, out, first=shares.ndim)
        is_weak = type(q) in (int, float)
        has_weight_of_x = is_weak or (type(q) is np.float64 and x.dtype != np.float32)
        if None in x.sizes and method == "linear" and has_weight_of_x:
            return finish(_linear_quantile(x, float(q) / divisor), a, axes, keepdims, out)
        place = function(np.arange(x.shape[-1]), q, method=method)
        # A `q` of float32 makes the weights float32.
        kind = None if is_weak else np.true_divide(q, 1).dtype
        result = _between(_ordered_at(x, np.asarray(place)), np.asarray(place), kind)
        return finish(result, a, axes, keepdims, out, first=rank_of(q))

    overload_quantile(function, quantile)


_quantile_like(np.quantile, 1.0)
_quantile_like(np.percentile, 100.0)


def _shares(function: Callable[..., Any], q: Any, divisor: float, x: Tensor) -> Tensor:
    """Staged quantiles as numbers from 0 to 1, which NumPy asks for.

    A Python number has the dtype of an array of floats, another one its own.
    """
    given = lift(q)
    is_narrow = given.dtype == np.float32 and x.dtype.kind != "f"
    # NumPy takes an element, without a step between two, where `q` is an integer.
    is_integer = divisor == 1.0 and given.dtype.kind in "iu"
    is_integer = is_integer and not (given.form is Form.PYTHON and x.dtype.kind == "f")
    if given.ndim > 1 or given.dtype.kind == "b" or is_narrow or is_integer or is_empty(x.shape[-1:]):
        raise unsupported_option(function, "q")
    if given.form is Form.PYTHON and x.dtype.kind == "f":
        given = wrap(emit("cast", given.read(), x.dtype.name), Form.SCALAR)
    elif given.dtype.kind != "f":
        given = lift(given.astype(np.float64))
    shares = given if divisor == 1.0 else lift(given / given.dtype.type(divisor))
    inside = apply(np.bitwise_and, apply(np.greater_equal, shares, 0.0), apply(np.less_equal, shares, 1.0))
    are_inside = wrap(lift(np.all(inside)).read(), Form.PYTHON)
    limits = "Quantiles must be in the range [0, 1]", "Percentiles must be in the range [0, 100]"
    require(are_inside, ValueError, limits[divisor != 1.0])
    return shares


def _linear_quantile(x: Tensor, share: Any) -> Tensor:
    """Interpolates at the positions ``share * (n - 1)``, where only the run knows ``n`` or the shares.

    Args:
        x: The elements along the last axis.
        share: A number, or a staged number or vector; the axis of a vector comes first in the result.
    """
    if isinstance(share, float) and not 0.0 <= share <= 1.0:
        raise value_error("Quantiles must be in the range [0, 1]")
    if x.dtype.kind == "b":
        apply(np.subtract, x, x)  # NumPy subtracts two elements, which bools refuse.
    kind = x.dtype if x.dtype.kind == "f" else np.dtype(np.float64)
    # NumPy subtracts two elements in their own dtype, where they may overflow.
    ordered: Any = np.sort(x, axis=-1) if is_narrow(x) else lift(sort(x, -1))
    end = x.shape[-1] - 1
    place = lift(lift(end).astype(np.float64) * share) if isinstance(share, float) else _places_at(share, end)
    below = lift(np.floor(place)).astype(np.int64)
    weight = lift(place - lift(below.astype(place.dtype)))
    weight = weight.astype(kind) if isinstance(share, float) else weight
    low, high = ordered[..., below], ordered[..., lift(np.minimum(below + 1, end))]
    result = lift(interpolate(low, high, weight))
    if place.ndim:
        result = lift(np.moveaxis(result, -1, 0))  # type: ignore[type-var]
    if kind == x.dtype:
        last = ordered[..., -1]
        result = lift(select(apply(np.isnan, last), last, result))
    return wrap(result.read())


def _places_at(shares: Tensor, end: Any) -> Tensor:
    """Positions in a line, in the dtype of the shares."""
    last = lift(wrap(emit("cast", lift(end).read(), shares.dtype.name), Form.SCALAR))
    return lift(apply(np.multiply, last, shares))


def _ordered_at(x: Tensor, place: NDArray[Any]) -> Tensor:
    """The array, sorted along the last axis as far as these positions need it, and the check for NaN."""
    size = x.shape[-1]
    if is_narrow(x):
        return np.sort(x, axis=-1)  # type: ignore[return-value]
    if not isinstance(size, int) or not size:
        return lift(sort(x, -1))
    below = np.floor(place).astype(np.int64)
    ranks = np.concatenate([np.ravel(below), np.ravel(np.minimum(below + 1, size - 1)), [size - 1]])
    return partition_at(x, x.ndim - 1, (ranks % size).tolist())


def _between(ordered: Tensor, place: NDArray[Any], kind: object) -> Tensor:
    """The elements at fractional positions along the last axis; the axes of the positions come first.

    Args:
        ordered: The elements, sorted along the last axis as far as the positions need it.
        place: The positions, which are plain.
        kind: The dtype of the interpolation weights; ``None`` for weakly typed Python numbers.
    """
    by_place = np.moveaxis(ordered, -1, 0)  # type: ignore[type-var]
    if place.dtype.kind == "i":
        result: Tensor = lift(by_place)[place]
    else:
        below = np.floor(place).astype(np.int64)
        above = np.minimum(below + 1, ordered.shape[-1] - 1)
        share = place - below
        axes = share.shape + (1,) * (ordered.ndim - 1)
        weight = float(share) if kind is None else share.astype(kind).reshape(axes)
        result = interpolate(lift(by_place)[below], lift(by_place)[above], weight)
    if ordered.dtype.kind == "f":
        last = ordered[..., -1]
        result = select(apply(np.isnan, last), last, result)
    return result if is_narrow(result) else wrap(lift(result).read())


def interpolate(low: object, high: object, weight: Tensor | float) -> Tensor:
    """``low + (high - low) * weight``, computed from the nearer end as NumPy does."""
    distance = apply(np.subtract, high, low)
    from_low = apply(np.add, low, apply(np.multiply, distance, weight))
    rest = 1 - weight if isinstance(weight, float) else apply(np.subtract, 1, weight)
    from_high = apply(np.subtract, high, apply(np.multiply, distance, rest))
    return select(np.greater_equal(weight, 0.5), from_high, from_low)


@overload(np.average)
def _average(
    a: Any, axis: Any = None, weights: Any = None, returned: bool = False, *, keepdims: Any = False
) -> object:
    x, kept = lift(a), keepdims is True
    if weights is None:
        mean = lift(np.mean(x, axis=axis, keepdims=kept))
        count = x.size // mean.size if mean.size else 0
        return (mean, np.full_like(mean, count)[()]) if returned else mean
    scales = lift(weights)
    dtype = np.result_type(x.dtype, scales.dtype, *([np.float64] if x.dtype.kind in "biu" else []))
    if scales.ndim != x.ndim or not may_be_equal(scales.sizes, x.sizes):
        scales = _aligned(x, scales, axis)
    total = lift(np.sum(scales, axis=axis, dtype=dtype, keepdims=kept))
    is_nonzero = np.all(apply(np.not_equal, total, 0))
    emit(
        "check",
        lift(is_nonzero).read(),
        "ZeroDivisionError",
        "Weights sum to zero, can't be normalized",
    )
    product = apply(np.multiply, x, scales)
    mean = lift(np.sum(product, axis=axis, dtype=dtype, keepdims=kept)) / total
    return (mean, np.copy(np.broadcast_to(total, mean.shape))[()]) if returned else mean


def _aligned(x: Tensor, weights: Tensor, axis: Any) -> Tensor:
    """Weights along some axes, reshaped to broadcast against the array."""
    if axis is None:
        raise value_error("Axis must be specified when shapes of a and weights differ.")
    given = list(axis) if isinstance(axis, (tuple, list)) else [axis]
    axes = [one % x.ndim for one in given]
    if not may_be_equal(weights.sizes, [x.sizes[one] for one in axes]):
        raise value_error("Shape of weights must be consistent with shape of a along specified axis.")
    ordered = np.transpose(weights, [int(one) for one in np.argsort(axes)])
    sizes = [size if one in axes else 1 for one, size in enumerate(x.shape)]
    return np.broadcast_to(np.reshape(ordered, sizes), x.shape)  # type: ignore[return-value]


@overload(np.cov)
def _cov(
    m: object,
    y: object = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: Any = None,
    fweights: object = None,
    aweights: object = None,
    *,
    dtype: DTypeLike | None = None,
) -> object:
    refuse_options(np.cov, {"fweights": fweights, "aweights": aweights})
    x = _observations(m, rowvar)
    parts = [x] if y is None else [x, _observations(y, rowvar)]
    wanted = np.result_type(*(part.dtype for part in parts), np.float64) if dtype is None else dtype
    rows = np.concatenate(parts).astype(wanted)
    if is_empty(x.shape[:1]):
        return np.reshape(np.zeros(0), (0, 0))
    freedom = (0 if bias else 1) if ddof is None else int(ddof)
    centred = rows - np.mean(rows, axis=1, keepdims=True)
    factor = largest(rows.shape[1] - freedom, 0)
    result = np.dot(centred, centred.T) * np.true_divide(1, factor)
    squeezed = np.squeeze(result)
    return wrap(emit("reshape", lift(squeezed).read(), list(squeezed.shape)), Form.ARRAY)


def _observations(m: object, rowvar: bool) -> Tensor:
    x = lift(m)
    if x.ndim > 2:
        raise value_error("m has more than 2 dimensions")
    rows = np.reshape(x, (1, -1)) if x.ndim < 2 else x
    return lift(rows.T if not rowvar and x.ndim == 2 else rows)
