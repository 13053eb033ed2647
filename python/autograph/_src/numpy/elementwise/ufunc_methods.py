"""Methods of ufuncs: ``np.maximum.accumulate(x)``, ``np.subtract.outer(x, y)``, ``np.add.reduceat(x, i)``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from autograph._src.numpy.calls.registry import unsupported_option
from autograph._src.numpy.elementwise.ufuncs import METHODS, apply, to_bool
from autograph._src.numpy.reductions.reductions import normal_axis
from autograph._src.numpy.shapes.shapes import concatenate
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.parted import reformed
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, wrap
from autograph._src.staging.trace.active import value_error

_ASSOCIATIVE = (
    np.maximum,
    np.minimum,
    np.fmax,
    np.fmin,
    np.logical_and,
    np.logical_or,
    np.logical_xor,
    np.bitwise_and,
    np.bitwise_or,
    np.bitwise_xor,
)
"""Associative ufuncs: any grouping gives the same result, so a running result takes ``log2(n)`` steps."""

_BINARY_METHODS = (
    "add subtract multiply divide true_divide floor_divide remainder mod fmod power arctan2 hypot"
    " equal not_equal less less_equal greater greater_equal logaddexp"
)

_RUNNING = {np.maximum: "max", np.minimum: "min", np.logical_or: "max", np.logical_and: "min"}
"""Those whose running results are an op; of booleans, the last two are the larger and the smaller."""

_EMPTY: dict[np.ufunc, Any] = {np.bitwise_or: 0, np.bitwise_xor: 0, np.logical_xor: False}


def _part(x: Tensor, axis: int, start: int | None, stop: int | None) -> Any:
    return x[(*(slice(None),) * axis, slice(start, stop))]


def _outer(ufunc: np.ufunc) -> Callable[..., Any]:
    def outer(a: object, b: object, /, **options: object) -> object:
        # Unlike in `a - b`, Python numbers are arrays here, of int64 and float64.
        left, right = (reformed(lift(one), Form.ARRAY) for one in (a, b))
        return ufunc(np.reshape(left, left.shape + (1,) * right.ndim), right, **options)

    return outer


def _accumulate(ufunc: np.ufunc) -> Callable[..., Any]:
    def accumulate(array: object, axis: int = 0, dtype: DTypeLike | None = None) -> Tensor:
        x = lift(array) if dtype is None else lift(array).astype(dtype)
        place = normal_axis(axis, x.ndim)
        if ufunc in (np.logical_and, np.logical_or, np.logical_xor):
            x = to_bool(x)
        if ufunc in _RUNNING:
            return wrap(emit("cumulative", _RUNNING[ufunc], x.read(), place), Form.ARRAY)
        result, step, size = wrap(emit("reshape", x.read(), list(x.shape))), 1, x.shape[place]
        while step < size:
            joined = apply(ufunc, _part(result, place, None, -step), _part(result, place, step, None))
            result = concatenate([_part(result, place, None, step), joined], place)
            step *= 2
        return result

    return accumulate


def _running(function: Callable[..., Any]) -> Callable[..., Any]:
    def accumulate(
        array: object, axis: int = 0, dtype: DTypeLike | None = None, out: object = None
    ) -> object:
        lift(array).shape[axis]  # raises for an array of rank 0, which has no running result
        return function(array, axis=axis, dtype=dtype, out=out)

    return accumulate


def _folded(ufunc: np.ufunc) -> Callable[..., Any]:
    """``reduce`` of a ufunc without a reduction op: combines the two halves until one element is left."""

    def reduce(
        a: object,
        axis: object = 0,
        dtype: DTypeLike | None = None,
        keepdims: object = False,
        **options: object,
    ) -> Any:
        for option in options:
            raise unsupported_option(ufunc, option)
        x = lift(a) if dtype is None else lift(a).astype(dtype)
        place = normal_axis(axis, x.ndim)
        size = x.shape[place]
        if size == 0 and ufunc not in _EMPTY:
            raise value_error(
                f"zero-size array to reduction operation {ufunc.__name__} which has no identity"
            )
        if size == 0:
            dtype = bool if ufunc is np.logical_xor else x.dtype
            result: object = np.full([n for i, n in enumerate(x.shape) if i != place], _EMPTY[ufunc], dtype)
            result = lift(result)
        else:
            running = lift(_accumulate(ufunc)(x, place))
            result = running[(*(slice(None),) * place, -1)]
        shape = list(lift(result).shape)
        if keepdims is True:
            shape.insert(place, 1)
        return wrap(emit("reshape", lift(result).read(), shape), Form.ARRAY if shape else None)

    return reduce


def reduceat_of(ufunc: np.ufunc) -> Callable[..., Any]:
    """``ufunc.reduceat`` with plain indices: a reduction of each stretch."""

    def reduceat(array: object, indices: object, axis: int = 0, dtype: DTypeLike | None = None) -> Tensor:
        if isinstance(indices, Tensor):
            raise unsupported_option(ufunc, "indices")
        x = lift(array)
        place, starts = normal_axis(axis, x.ndim), np.asarray(indices).tolist()
        pieces = []
        for start, stop in zip(starts, [*starts[1:], x.shape[place]], strict=True):
            if not 0 <= start < x.shape[place]:
                raise value_error(f"index {start} out-of-bounds in {ufunc.__name__}.reduceat")
            piece = _part(x, place, start, stop if stop > start else start + 1)
            pieces.append(ufunc.reduce(piece, axis=place, dtype=dtype, keepdims=True))
        return concatenate(pieces, place)

    return reduceat


for _ufunc in (*map(lambda name: getattr(np, name), _BINARY_METHODS.split()), *_ASSOCIATIVE):
    METHODS[_ufunc, "outer"] = _outer(_ufunc)
for _ufunc in _ASSOCIATIVE:
    METHODS[_ufunc, "accumulate"] = _accumulate(_ufunc)
    METHODS.setdefault((_ufunc, "reduce"), _folded(_ufunc))
METHODS[np.add, "accumulate"] = _running(np.cumsum)
METHODS[np.multiply, "accumulate"] = _running(np.cumprod)
for _ufunc in (np.add, np.multiply, *_ASSOCIATIVE):
    METHODS[_ufunc, "reduceat"] = reduceat_of(_ufunc)
