"""Sorting and extremes of complex values, in NumPy's order.

The real part counts first, then the imaginary part. Numbers with a NaN come last: first those whose
imaginary part is NaN, then those whose real part is. The first NaN is both the maximum and the minimum.

    np.sort([1j, 1, 0])     0, 1j, 1
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from autograph._src.numpy.calls.registry import OVERLOADS, overload, refuse_options, unsupported_option
from autograph._src.numpy.complex.complex_dispatch import complex_overload
from autograph._src.numpy.complex.complex_families import folded, over_axes
from autograph._src.numpy.complex.complex_ufuncs import refused
from autograph._src.numpy.elementwise.ufuncs import COMPLEX_METHODS, store
from autograph._src.numpy.reductions.reductions import normal_axis, reduce_method
from autograph._src.numpy.shapes.sorting import take_along
from autograph._src.staging.complex.complex_tensor import ComplexTensor, as_complex, is_complex, made
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.tensor import Form, wrap
from autograph._src.staging.trace.active import value_error

_NO_VALUE: object = np._NoValue


@complex_overload(np.argsort)
def _argsort(
    a: object, axis: object = -1, kind: object = None, order: object = None, *, stable: object = None
) -> object:
    if order is not None:
        raise unsupported_option(np.argsort, "order")
    x: Any = np.ravel(as_complex(a)) if axis is None else as_complex(a)
    place = normal_axis(-1 if axis is None else axis, x.ndim)
    nans = np.isnan(x.real).astype(np.int64) * 2 + np.isnan(x.imag).astype(np.int64)
    return OVERLOADS[np.lexsort]((x.imag, x.real, nans), place)


@complex_overload(np.sort)
def _sort(
    a: object, axis: object = -1, kind: object = None, order: object = None, *, stable: object = None
) -> ComplexTensor:
    x: Any = np.ravel(as_complex(a)) if axis is None else as_complex(a)
    place = normal_axis(-1 if axis is None else axis, x.ndim)
    chosen = _argsort(x, place, kind, order)
    return made(*(take_along(part, chosen, place) for part in x.parts))


@overload(np.sort_complex)
@complex_overload(np.sort_complex)
def _sort_complex(a: object) -> object:
    x: Any = lift(a)
    if is_complex(x):
        return _sort(x)
    return np.sort(x).astype(np.complex64 if x.dtype == np.uint8 else np.complex128)


def _extreme(function: Callable[..., Any], joined: np.ufunc) -> Callable[..., Any]:
    def extreme(
        a: object,
        axis: object = None,
        out: object = None,
        keepdims: object = False,
        initial: object = _NO_VALUE,
        where: object = _NO_VALUE,
    ) -> object:
        if where is not True:
            refuse_options(function, {"where": where})
        x = _array(a, function)
        result = over_axes(x, axis, keepdims, lambda rows: _largest(rows, joined))
        result = result if initial is _NO_VALUE else joined(result, initial)
        return store(result, out)

    return extreme


def _array(a: object, function: Callable[..., Any]) -> ComplexTensor:
    x = as_complex(a)
    if None in x.sizes:
        raise refused(function, (a,))
    return x


def _largest(rows: Any, joined: np.ufunc) -> object:
    if not rows.sizes[0]:
        raise value_error(f"zero-size array to reduction operation {joined.__name__} which has no identity")
    return folded(rows, joined)


def _place_of(function: Callable[..., Any], extreme: Callable[..., Any]) -> Callable[..., Any]:
    """``argmax`` or ``argmin``: the position of the first extreme element."""

    def place(a: object, axis: object = None, out: object = None, *, keepdims: object = False) -> Any:
        x: Any = _array(a, function)
        if not all(x.sizes if axis is None else (x.sizes[normal_axis(axis, x.ndim)],)):
            raise value_error(f"attempt to get {function.__name__} of an empty sequence")
        found = extreme(x, axis, keepdims=True)
        is_it = np.where(np.isnan(found), np.isnan(x), np.equal(x, found))
        kept = {} if keepdims is not True else {"keepdims": True}
        return store(OVERLOADS[np.argmax](lift(is_it), axis=axis, **kept), out)

    return place


for _functions, _joined, _arg in (
    ((np.max, np.amax), np.maximum, np.argmax),
    ((np.min, np.amin), np.minimum, np.argmin),
):
    _implementation = _extreme(_functions[0], _joined)
    complex_overload(*_functions)(_implementation)
    complex_overload(_arg)(_place_of(_arg, _implementation))


# Methods of ufuncs


def _running(function: Callable[..., Any]) -> Callable[..., Any]:
    def accumulate(array: object, axis: int = 0, dtype: DTypeLike | None = None) -> object:
        return function(array, axis=axis, dtype=dtype)

    return accumulate


def _outer(ufunc: np.ufunc) -> Callable[..., Any]:
    def outer(a: ArrayLike, b: ArrayLike, /) -> object:
        left, right = (_as_array(one) for one in (a, b))
        return ufunc(np.reshape(left, left.shape + (1,) * right.ndim), right)

    return outer


def _as_array(value: object) -> Any:
    x = lift(value)
    if x.form is Form.ARRAY:
        return x
    return made(*x.parts, form=Form.ARRAY) if is_complex(x) else wrap(x.read(), Form.ARRAY)


_REDUCTIONS: list[tuple[np.ufunc, Any]] = [
    (np.add, np.sum),
    (np.multiply, np.prod),
    (np.maximum, np.max),
    (np.minimum, np.min),
    (np.logical_and, np.all),
    (np.logical_or, np.any),
]
for _ufunc, _function in _REDUCTIONS:
    COMPLEX_METHODS[_ufunc, "reduce"] = reduce_method(_function)
COMPLEX_METHODS[np.add, "accumulate"] = _running(np.cumsum)
COMPLEX_METHODS[np.multiply, "accumulate"] = _running(np.cumprod)
for _name in ["add", "subtract", "multiply", "divide", "power", "equal", "not_equal"]:
    COMPLEX_METHODS[getattr(np, _name), "outer"] = _outer(getattr(np, _name))
