"""Reductions that ignore NaN: ``nansum``, ``nanmean``, ``nanmax``, ``nanmedian`` and others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from autograph._src.numpy.calls.arguments import Axis
from autograph._src.numpy.calls.options import holds_staged
from autograph._src.numpy.calls.registry import overload, refuse_options, unsupported_option
from autograph._src.numpy.elementwise.roots import root_of_sum
from autograph._src.numpy.elementwise.ufuncs import apply, store
from autograph._src.numpy.reductions.statistics import finish, interpolate, last_axis_of, overload_quantile
from autograph._src.numpy.shapes.shapes import select
from autograph._src.numpy.shapes.sorting import sort, take_along
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.python_scalars import require
from autograph._src.staging.tensors.sizes import is_empty, is_known
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, wrap


def is_nan(x: Tensor) -> Any:
    """``np.isnan(x)``."""
    return apply(np.isnan, x)


def replaced(a: object, value: object) -> Tensor:
    """The array with NaN replaced by another value."""
    x = lift(a)
    if x.dtype.kind != "f":
        return x
    return wrap(lift(select(is_nan(x), x.dtype.type(value), x)).read(), x.form)


def _neutral(function: Callable[..., Any], plain: Callable[..., Any], value: object) -> None:
    """Registers a NaN-ignoring function as its plain version with NaN replaced by a neutral value."""

    def reduction(
        a: object, axis: object = None, dtype: DTypeLike | None = None, out: object = None, **options: object
    ) -> object:
        return plain(replaced(a, value), axis=axis, dtype=dtype, out=out, **options)

    overload(function)(reduction)


_neutral(np.nansum, np.sum, 0)
_neutral(np.nanprod, np.prod, 1)
_neutral(np.nancumsum, np.cumsum, 0)
_neutral(np.nancumprod, np.cumprod, 1)


def _extreme(function: Callable[..., Any], plain: Callable[..., Any], worst: object) -> None:
    def reduction(
        a: ArrayLike, axis: Axis | None = None, out: object = None, keepdims: bool = False, **options: object
    ) -> object:
        initial, where = (options.pop(name, np._NoValue) for name in ("initial", "where"))
        refuse_options(function, options)
        x, kept = lift(a), keepdims is True
        if initial is not np._NoValue and initial is not None:
            return store(_extreme_and(plain, worst, x, axis, kept, initial, where), out)
        if where is not np._NoValue and where is not True:
            one = np.ones(1)
            function(one, where=one > 0)  # NumPy raises its error: there is no number to begin with.
        if axis is None and None in x.sizes:
            words = f"zero-size array to reduction operation f{plain.__name__} which has no identity"
            require(lift(x.size > 0), ValueError, words)
        result = plain(replaced(x, worst), axis=axis, keepdims=kept)
        if x.dtype.kind == "f":
            result = select(np.all(is_nan(x), axis=axis, keepdims=kept), x.dtype.type(np.nan), result)
        return store(result, out)

    overload(function)(reduction)


def _extreme_and(
    plain: Any, worst: object, x: Tensor, axis: Axis | None, kept: bool, initial: object, where: object
) -> object:
    """The extreme of the elements that ``where=`` takes, and of one more number, that are not NaN."""
    if x.dtype.kind != "f":
        return plain(x, axis=axis, keepdims=kept, initial=initial, where=where)
    number = lift(initial).astype(x.dtype)
    is_array = x.form is Form.ARRAY
    # NumPy takes an initial NaN for a number only beside a scalar.
    start = select(is_nan(number), x.dtype.type(worst), number) if is_array else number
    result = plain(replaced(x, worst), axis=axis, keepdims=kept, initial=start, where=where)
    # Of a scalar NumPy does not count the initial number.
    is_lost = is_nan(number) if is_array else True
    is_lost = np.logical_and(is_lost, np.all(_ignored(x, where), axis=axis, keepdims=kept))
    return select(is_lost, x.dtype.type(np.nan), result)


def _ignored(x: Tensor, where: object) -> Any:
    """Which elements are NaN, or not taken by ``where=``."""
    if where is np._NoValue or where is True:
        return is_nan(x)
    return np.logical_or(is_nan(x), np.logical_not(lift(where).astype(np.bool_)))


_extreme(np.nanmax, np.max, -np.inf)
_extreme(np.nanmin, np.min, np.inf)


def _place_of_extreme(function: Callable[..., Any], plain: Callable[..., Any], worst: object) -> None:
    def reduction(
        a: ArrayLike, axis: int | None = None, out: object = None, *, keepdims: object = False
    ) -> object:
        x = lift(a)
        result = plain(replaced(x, worst), axis=axis, keepdims=keepdims is True)
        if x.dtype.kind == "f":
            has_some = np.logical_not(np.any(np.all(is_nan(x), axis=axis)))
            emit("check", lift(has_some).read(), "ValueError", "All-NaN slice encountered")
        return store(result, out)

    overload(function)(reduction)


_place_of_extreme(np.nanargmax, np.argmax, -np.inf)
_place_of_extreme(np.nanargmin, np.argmin, np.inf)


def _count(x: Tensor, axis: Axis | None, keepdims: bool, where: object = np._NoValue) -> Any:
    present = np.logical_not(_ignored(x, where)).astype(np.int64)
    return np.sum(present, axis=axis, keepdims=keepdims)


@overload(np.nanmean)
def _nanmean(
    a: Any,
    axis: Axis | None = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: object = False,
    *,
    where: Any = np._NoValue,
) -> Any:
    x, kept = lift(a), keepdims is True
    if x.dtype.kind != "f":
        return np.mean(x, axis=axis, dtype=dtype, out=out, keepdims=kept, where=where)
    total = lift(np.sum(replaced(x, 0), axis=axis, dtype=dtype, keepdims=kept, where=where))
    return store(total / _count(x, axis, kept, where).astype(total.dtype), out)


@overload(np.nanvar)
def _nanvar(
    a: Any,
    axis: Axis | None = None,
    dtype: Any = None,
    out: Any = None,
    ddof: float = 0,
    keepdims: object = False,
    *,
    where: Any = np._NoValue,
    **options: object,
) -> Any:
    refuse_options(np.nanvar, options)
    x, kept = lift(a), keepdims is True
    if x.dtype.kind != "f":
        return np.var(x, axis=axis, dtype=dtype, out=out, ddof=ddof, keepdims=kept, where=where)
    x = x if dtype is None else x.astype(dtype)
    distance = x - lift(_nanmean(x, axis, keepdims=True, where=where))
    # Only NaN in the array itself is ignored: the distance of an infinity from the mean is NaN too. It is
    # replaced before the square, whose derivative would be NaN times 0.
    distance = select(_ignored(x, where), distance.dtype.type(0), distance)
    squares = apply(np.multiply, distance, distance)
    total = lift(np.sum(squares, axis=axis, keepdims=kept))
    freedom = lift(_count(x, axis, kept, where)).astype(total.dtype) - ddof
    enough = apply(np.greater, freedom, 0)
    return store(select(enough, total / freedom, total.dtype.type(np.nan)), out)


@overload(np.nanstd)
def _nanstd(
    a: ArrayLike,
    axis: Axis | None = None,
    dtype: Any = None,
    out: Any = None,
    *args: Any,
    **options: Any,
) -> object:
    return store(root_of_sum(_nanvar(a, axis, dtype, None, *args, **options)), out)


@overload(np.nanmedian)
def _nanmedian(
    a: Any, axis: Axis | None = None, out: Any = None, overwrite_input: bool = False, keepdims: bool = False
) -> object:
    x, axes = last_axis_of(a, axis)
    if x.dtype.kind != "f" or is_empty(x.shape):
        return np.median(a, axis=axis, out=out, keepdims=keepdims is True)
    result = _quantile_of_present(x, 0.5, is_halfway=True) + 0.0  # Makes -0.0 a 0.0, as NumPy's mean does.
    return finish(result, a, axes, keepdims, out)


def _quantile_of_present(x: Tensor, q: float, is_halfway: bool = False) -> Tensor:
    """A quantile along the last axis of the elements that are not NaN, which sorting puts first."""
    count = lift(_count(x, -1, False))
    if not is_known(x.shape[-1:]):
        # One more NaN, which is not counted, so that an empty line has an element to select.
        one_more = np.full_like(x, np.nan, shape=(*x.shape[:-1], 1))
        x = lift(np.concatenate([x, one_more], axis=-1))
    ordered = sort(x, -1)
    last = apply(np.maximum, apply(np.subtract, count, 1), 0)
    place = apply(np.multiply, last.astype(np.float64), q)
    below = apply(np.floor, place).astype(np.int64)
    above = apply(np.minimum, below + 1, last)
    low, high = (_chosen(ordered, where) for where in (below, above))
    share = apply(np.subtract, place, below.astype(np.float64))
    if is_halfway:
        middle = apply(np.divide, apply(np.add, low, high), 2)
        result = select(apply(np.greater, share, 0), middle, low)
    else:
        result = interpolate(low, high, share if x.ndim > 1 else share.astype(x.dtype))
    return wrap(lift(result).read())


def _chosen(ordered: Tensor, place: Tensor) -> object:
    positions = lift(np.reshape(place, (*place.shape, 1)))
    return take_along(ordered, positions, ordered.ndim - 1)[..., 0]


def _quantile_like(function: Callable[..., Any], plain: Callable[..., Any], divisor: Any) -> None:
    def quantile(a: object, q: Any, axis: object, out: object, method: str, keepdims: object) -> object:
        x = lift(a)
        if x.dtype.kind != "f":
            return plain(x, q, axis=axis, out=out, method=method, keepdims=keepdims)
        is_sequence = isinstance(q, (list, tuple, np.ndarray)) and not holds_staged(q) and np.ndim(q) == 1
        if is_sequence and len(q) and out is None and x.dtype == np.float64:
            each = [quantile(x, float(one), axis, None, method, keepdims) for one in q]
            return np.stack([lift(one) for one in each])
        if holds_staged(q) or type(q) not in (int, float):
            raise unsupported_option(function, "q")
        if method != "linear":
            raise unsupported_option(function, "method")
        plain([0.0], q)  # checks the range
        lines, axes = last_axis_of(x, axis)
        if lines.size == 0:
            empty = wrap(lift(np.full(lines.shape[:-1], np.nan, x.dtype)).read())
            return finish(empty, x, axes, keepdims, out)
        result = _quantile_of_present(lines, q / divisor).astype(x.dtype)
        return finish(wrap(result.read()), x, axes, keepdims, out)

    overload_quantile(function, quantile)


_quantile_like(np.nanquantile, np.quantile, 1.0)
_quantile_like(np.nanpercentile, np.percentile, 100.0)


@overload(np.nan_to_num)
def _nan_to_num(
    x: object, copy: bool = True, nan: object = 0.0, posinf: object = None, neginf: object = None
) -> Tensor:
    tensor = lift(x)
    if not copy:
        raise unsupported_option(np.nan_to_num, "copy")
    result = wrap(emit("reshape", tensor.read(), list(tensor.shape)))
    if tensor.dtype.kind != "f":
        return result
    limits = np.finfo(tensor.dtype)
    largest = limits.max if posinf is None else posinf
    smallest = limits.min if neginf is None else neginf
    infinite = apply(np.isinf, tensor)
    cast = lift(tensor).dtype.type
    positive = apply(np.bitwise_and, infinite, apply(np.greater, tensor, 0))
    negative = apply(np.bitwise_and, infinite, apply(np.less, tensor, 0))
    for test, value in ((is_nan(tensor), nan), (positive, largest), (negative, smallest)):
        fitted = value.astype(tensor.dtype) if isinstance(value, Tensor) else cast(value)
        result = select(test, fitted, result)
    return wrap(lift(result).read(), Form.ARRAY if tensor.shape else None)
