"""Reductions of axes: sums, extremes, means; and running sums."""

from __future__ import annotations

import math
from collections.abc import Callable
from operator import index
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from autograph._src.numpy.calls.arguments import Axis
from autograph._src.numpy.calls.registry import call_function, overload, refuse_options
from autograph._src.numpy.elementwise.roots import root_of_sum
from autograph._src.numpy.elementwise.ufuncs import METHODS, apply, store, to_bool
from autograph._src.staging.complex.complex_tensor import is_complex
from autograph._src.staging.narrow.narrow_casts import converted
from autograph._src.staging.tensors.item_conversions import as_items
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.sizes import as_number, is_empty
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, wrap
from autograph._src.staging.trace.active import staging_error, type_error_of
from autograph._src.staging.trace.frames import here
from autograph.errors import ShapeError

_NO_VALUE: object = np._NoValue


def normal_axes(axis: object, rank: int) -> list[int]:
    """Axes as ascending non-negative indices; ``None`` stands for all axes.

    Raises:
        ShapeError: If an axis is out of range or occurs twice.
    """
    if axis is None:
        return list(range(rank))
    given = axis if isinstance(axis, (tuple, list)) else (axis,)
    axes = [normal_axis(one, rank) for one in given]
    if len(set(axes)) != len(axes):
        raise ShapeError("duplicate value in 'axis'", code="AG102", location=here())
    return sorted(axes)


def normal_axis(axis: Any, rank: int) -> int:
    """One axis as a non-negative index."""
    if isinstance(axis, Tensor):
        raise staging_error("AG117", "an axis must be a plain integer")
    try:
        place = int(index(axis))
    except TypeError as error:
        raise type_error_of(error) from None
    if not -rank <= place < rank:
        message = f"axis {axis} is out of bounds for array of dimension {rank}"
        raise ShapeError(message, code="AG102", location=here())
    return place % rank


def reduce(op: str, x: Tensor, axis: object, keepdims: object) -> Tensor:
    """Records a reduction without changing the dtype."""
    axes = normal_axes(axis, x.ndim)
    kept = keepdims is True
    if op in ("max", "min") and any(x.sizes[axis] == 0 for axis in axes):
        what = {"max": "maximum", "min": "minimum"}[op]
        message = f"zero-size array to reduction operation {what} which has no identity"
        raise ShapeError(message, code="AG102", location=here())
    return wrap(emit("reduce", op, x.read(), axes, kept))


def _in_uint64(function: Callable[..., Any], x: Tensor, **options: object) -> object:
    """A sum or product of uint8, which NumPy computes in uint64."""
    return call_function(function, (converted(x, np.dtype(np.uint64)),), options)


def _accumulator(x: Tensor, dtype: DTypeLike | None) -> Tensor:
    """The operand in the dtype to sum in: 64 bits for bools and small integers, as in NumPy."""
    if dtype is not None:
        return x.astype(dtype)  # type: ignore[no-any-return]
    if x.dtype.kind in "bi":
        return x.astype(np.int64)  # type: ignore[no-any-return]
    return x


def _sum_like(op: str, function: Callable[..., Any]) -> Any:
    def reduction(
        a: object,
        axis: object = None,
        dtype: DTypeLike | None = None,
        out: object = None,
        keepdims: object = False,
        initial: object = _NO_VALUE,
        where: object = _NO_VALUE,
    ) -> object:
        x = masked(lift(a), where, 0 if op == "sum" else 1)
        if dtype is None and x.dtype == np.uint8:
            extra = {} if initial is _NO_VALUE else {"initial": initial}
            return store(_in_uint64(function, x, axis=axis, keepdims=keepdims, **extra), out)
        result = reduce(op, _accumulator(x, dtype), axis, keepdims)
        if initial is not _NO_VALUE:
            start = _initial(initial, lift(result).dtype)
            result = result + start if op == "sum" else result * start
        return store(result, out)

    return reduction


def masked(x: Tensor, where: object, otherwise: float) -> Tensor:
    """The elements that ``where=`` takes, and a number in the place of the others."""
    if where is _NO_VALUE or where is True:
        return x
    return lift(np.where(where, x, x.dtype.type(otherwise)))  # type: ignore[call-overload]


def _neutral(op: str, dtype: np.dtype[Any]) -> float:
    """The number that changes no maximum, or no minimum."""
    if dtype.kind == "f":
        return -np.inf if op == "max" else np.inf
    if dtype.kind == "b":
        return op == "min"
    return np.iinfo(dtype).min if op == "max" else np.iinfo(dtype).max


def _of_initial_values(x: Tensor, value: object, axis: object) -> Tensor:
    """An array with the initial value as the only element along each reduced axis."""
    axes = normal_axes(axis, x.ndim)
    sizes = [1 if place in axes else size for place, size in enumerate(x.shape)]
    return wrap(emit("broadcast", _initial(value, x.dtype).read(), sizes), Form.ARRAY)


def _initial(value: object, dtype: np.dtype[Any]) -> Tensor:
    """The ``initial=`` of a reduction, in the dtype of the result."""
    if is_complex(lift(value)) and dtype.kind != "c":
        raise TypeError(f"`initial=` of an array of {dtype} cannot be a complex number")
    return lift(as_items(value, dtype, is_picked=False).astype(dtype))


def _extreme_and(op: str, x: Tensor, initial: object, axis: object, keepdims: object) -> Tensor:
    """The extreme of an array of unknown size, with the initial value as one more element of each line."""
    axes = normal_axes(axis, x.ndim)
    edge = _of_initial_values(x, initial, axes[0])
    longer = wrap(emit("concatenate", [x.read(), edge.read()], axes[0]), Form.ARRAY)
    return reduce(op, longer, tuple(axes), keepdims)


def _extreme(op: str, function: Callable[..., Any]) -> Any:
    def reduction(
        a: object, axis: object = None, out: object = None, keepdims: object = False, **options: object
    ) -> object:
        initial = options.pop("initial", _NO_VALUE)
        initial = _NO_VALUE if initial is None else initial
        x = lift(a)
        if initial is not _NO_VALUE and x.dtype.kind in "biuf":
            x = masked(x, options.pop("where", True), _neutral(op, x.dtype))
        refuse_options(function, options)
        if initial is not _NO_VALUE and None in x.sizes:
            # The initial value takes part as one more element.
            return store(_extreme_and(op, x, initial, axis, keepdims), out)
        if initial is not _NO_VALUE and x.size == 0:
            # The array is empty: the result is the initial value.
            x = _of_initial_values(x, initial, axis)
        result: object = reduce(op, x, axis, keepdims)
        if initial is not _NO_VALUE:
            result = apply(np.maximum if op == "max" else np.minimum, result, _initial(initial, x.dtype))
        return store(result, out)

    return reduction


def _logical(op: str, function: Callable[..., Any]) -> Any:
    def reduction(
        a: object, axis: object = None, out: object = None, keepdims: object = False, **options: object
    ) -> object:
        refuse_options(function, options)
        return store(reduce(op, to_bool(a), axis, keepdims), out)

    return reduction


overload(np.sum)(_sum_like("sum", np.sum))
overload(np.prod)(_sum_like("prod", np.prod))
overload(np.max, np.amax)(_extreme("max", np.max))
overload(np.min, np.amin)(_extreme("min", np.min))
overload(np.any)(_logical("any", np.any))
overload(np.all)(_logical("all", np.all))


def reduce_method(reduction: Callable[..., Any]) -> Callable[..., Any]:
    """``ufunc.reduce``, whose default axis is 0."""

    def method(
        a: object,
        axis: object = 0,
        dtype: DTypeLike | None = None,
        keepdims: object = False,
        **options: object,
    ) -> object:
        extra = {"dtype": dtype} if dtype is not None else {}
        return reduction(a, axis=axis, keepdims=keepdims, **extra, **options)

    return method


METHODS[np.add, "reduce"] = reduce_method(_sum_like("sum", np.sum))
METHODS[np.multiply, "reduce"] = reduce_method(_sum_like("prod", np.prod))
METHODS[np.maximum, "reduce"] = reduce_method(_extreme("max", np.max))
METHODS[np.minimum, "reduce"] = reduce_method(_extreme("min", np.min))
METHODS[np.logical_or, "reduce"] = reduce_method(_logical("any", np.any))
METHODS[np.logical_and, "reduce"] = reduce_method(_logical("all", np.all))


def reduced_size(x: Tensor, axes: list[int]) -> object:
    """The number of elements that a reduction combines into each element of the result."""
    return math.prod(x.shape[axis] for axis in axes)


@overload(np.mean)
def _mean(
    a: object,
    axis: object = None,
    dtype: DTypeLike | None = None,
    out: object = None,
    keepdims: object = False,
    where: object = _NO_VALUE,
) -> object:
    x = lift(a)
    if dtype is not None:
        x = x.astype(dtype)
    elif x.dtype.kind != "f":
        x = x.astype(np.float64)
    count = _taken(x, axis, keepdims, where)
    return store(reduce("sum", masked(x, where, 0), axis, keepdims) / as_number(count, x.dtype), out)


def _taken(x: Tensor, axis: object, keepdims: object, where: object) -> object:
    """The number of elements that a reduction with ``where=`` combines into each element of the result."""
    if where is _NO_VALUE or where is True:
        return reduced_size(x, normal_axes(axis, x.ndim))
    taken = lift(np.broadcast_to(to_bool(where), x.shape)).astype(np.int64)
    return reduce("sum", taken, axis, keepdims)


@overload(np.var)
def _var(
    a: ArrayLike,
    axis: Axis | None = None,
    dtype: object = None,
    out: object = None,
    ddof: Any = 0,
    keepdims: object = False,
    where: object = _NO_VALUE,
) -> Any:
    x = lift(a)
    if dtype is not None or x.dtype.kind != "f":
        x = x.astype(np.float64 if dtype is None else dtype)
    distance = masked(x - _mean(x, axis, keepdims=True, where=where), where, 0)
    total = reduce("sum", distance * distance, axis, keepdims)
    count: Any = _taken(x, axis, keepdims, where) - ddof
    divisor = np.maximum(count, 0) if isinstance(count, Tensor) else max(count, 0)
    return store(total / as_number(divisor, x.dtype), out)


@overload(np.std)
def _std(
    a: ArrayLike,
    axis: Axis | None = None,
    dtype: object = None,
    out: object = None,
    ddof: Any = 0,
    keepdims: bool = False,
    where: object = _NO_VALUE,
) -> object:
    return store(root_of_sum(_var(a, axis, dtype, None, ddof, keepdims, where)), out)


@overload(np.ptp)
def _ptp(a: object, axis: object = None, out: object = None, keepdims: object = False) -> object:
    x = lift(a)
    return store(reduce("max", x, axis, keepdims) - reduce("min", x, axis, keepdims), out)


@overload(np.count_nonzero)
def _count_nonzero(a: object, axis: object = None, *, keepdims: object = False) -> Tensor:
    result = reduce("sum", to_bool(a).astype(np.int64), axis, keepdims)
    if axis is None and not isinstance(np.count_nonzero(np.zeros(1)), np.generic):
        return wrap(result.value_id, Form.PYTHON)
    return result


def _arg_extreme(op: str) -> Any:
    def reduction(a: object, axis: object = None, out: object = None, *, keepdims: object = False) -> object:
        x = lift(a)
        value = x.read() if axis is not None else emit("reshape", x.read(), [x.size])
        place = 0 if axis is None else normal_axis(axis, x.ndim)
        if is_empty(x.sizes if axis is None else x.sizes[place : place + 1]):
            message = f"attempt to get arg{op} of an empty sequence"
            raise ShapeError(message, code="AG102", location=here())
        result = wrap(emit("arg_reduce", op, value, place))
        if keepdims is True:
            shape = [1] * x.ndim if axis is None else [*x.shape[:place], 1, *x.shape[place + 1 :]]
            result = wrap(emit("reshape", result.read(), shape), Form.ARRAY)
        return store(result, out)

    return reduction


overload(np.argmax)(_arg_extreme("max"))
overload(np.argmin)(_arg_extreme("min"))


def _running(op: str, function: Callable[..., Any]) -> Any:
    def reduction(
        a: object, axis: object = None, dtype: DTypeLike | None = None, out: object = None
    ) -> object:
        x = lift(a)
        if dtype is None and x.dtype == np.uint8:
            return store(_in_uint64(function, x, axis=axis), out)
        x = _accumulator(x, dtype)
        if axis is None:
            x = wrap(emit("reshape", x.read(), [x.size]), Form.ARRAY)
        return store(wrap(emit("cumulative", op, x.read(), normal_axis(axis or 0, x.ndim))), out)

    return reduction


overload(np.cumsum)(_running("sum", np.cumsum))
overload(np.cumprod)(_running("prod", np.cumprod))
