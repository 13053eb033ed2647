"""``logsumexp``, ``softmax`` and ``log_softmax`` of ``scipy.special``, by SciPy's formulas.

The largest element, which is subtracted before the exponential, is a constant of derivatives: where two
are the largest, each would have half of a derivative that cancels.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from autograph._src.numpy.calls.arguments import Axis
from autograph._src.numpy.calls.of_scipy import function_of_scipy
from autograph._src.numpy.calls.registry import CREATORS
from autograph._src.staging.complex.complex_tensor import is_complex
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.slopes import with_slope, without_slope
from autograph._src.staging.tensors.tensor import Tensor
from autograph._src.staging.trace.active import staging_error


@function_of_scipy
def _logsumexp(
    a: object, axis: Any = None, b: object = None, keepdims: bool = False, return_sign: bool = False
) -> object:
    given = _floats("logsumexp", a) if b is None else _floats("logsumexp", a, b)
    numbers, weights = given[0], None if b is None else given[1]
    if numbers.ndim == 0:
        numbers, weights = (None if one is None else np.reshape(one, (1,)) for one in (numbers, weights))
    axis = tuple(range(numbers.ndim)) if axis is None else axis
    if numbers.size == 0:
        total = np.sum(numbers, axis=axis, keepdims=True)
        value, sign = np.full_like(total, -np.inf), np.full_like(total, -1.0)
    else:
        value, sign = _value(numbers, weights, axis, return_sign)
        value = with_slope(value, _slope(numbers, weights, axis))
        sign = without_slope(lift(sign))
    if not keepdims:
        value, sign = (np.squeeze(one, axis=axis) for one in (value, sign))
    value, sign = (_scalar(one) for one in (value, sign))
    return (value, sign) if return_sign else value


def _value(a: Any, b: Any, axis: Axis | None, return_sign: bool) -> tuple[Tensor, object]:
    """The value and the sign of the sum, by SciPy's formula; of infinite sums the plain one."""
    plain = np.sum(np.exp(a) if b is None else b * np.exp(a), axis=axis, keepdims=True)
    of_plain = np.log(np.abs(plain) if return_sign else plain)
    if b is not None:  # What has no weight adds nothing, also where it is infinite or NaN.
        a = np.where(b == 0, -np.inf, a)
    largest = np.max(a, axis=axis, keepdims=True)
    is_largest = a == largest
    # The largest elements are kept apart from the sum, so that its other digits are not lost beside them.
    ones = is_largest.astype(a.dtype)
    weight = np.sum(ones if b is None else b * ones, axis=axis, keepdims=True)
    rest = np.exp(np.where(is_largest, -np.inf, a) - largest)
    total = np.sum(rest if b is None else b * rest, axis=axis, keepdims=True)
    total = np.where(total == 0, total, total / weight)
    sign = np.sign(total + 1) * np.sign(weight)
    total = np.where(total < -1, -total - 2, total)
    value = np.log1p(total) + np.log(np.abs(weight)) + largest
    if not return_sign:
        value = np.where(sign < 0, np.nan, value)
    is_finite = np.isfinite(value)
    return lift(np.where(is_finite, value, of_plain)), np.where(is_finite, sign, np.sign(plain))


def _slope(a: Any, b: Any, axis: Axis | None) -> object:
    """The same of one sum, from which each derivative is made."""
    if b is None:
        top = _constant_largest(a, axis)
        return np.log(np.sum(np.exp(a - top), axis=axis, keepdims=True)) + top
    is_nothing = b == 0
    top = _constant_largest(np.where(is_nothing, -np.inf, a), axis)
    # An element without a weight may be beyond what the exponential takes; its product stays 0.
    most = np.log(np.finfo(a.dtype).max) - 1
    above = np.where(is_nothing, np.minimum(np.where(np.isnan(a), -np.inf, a) - top, most), a - top)
    total = np.sum(b * np.exp(above), axis=axis, keepdims=True)
    return np.log(np.abs(total)) + top


def _constant_largest(a: ArrayLike, axis: Axis | None) -> Tensor:
    """The largest element, and 0 where it is infinite or NaN."""
    largest = np.max(a, axis=axis, keepdims=True)
    return without_slope(lift(np.where(np.isfinite(largest), largest, largest.dtype.type(0))))


@function_of_scipy
def _softmax(x: object, axis: Axis | None = None) -> object:
    numbers = _real("softmax", x)
    powers = np.exp(numbers - without_slope(lift(np.max(numbers, axis=axis, keepdims=True))))
    return powers / np.sum(powers, axis=axis, keepdims=True)


@function_of_scipy
def _log_softmax(x: object, axis: Axis | None = None) -> object:
    numbers = _real("log_softmax", x)
    above = numbers - _constant_largest(numbers, axis)
    return above - np.log(np.sum(np.exp(above), axis=axis, keepdims=True))


def _floats(name: str, *values: object) -> list[Any]:
    """Arrays of one float dtype and shape."""
    arrays = [_real(name, value) for value in values]
    dtype = np.result_type(*arrays)
    dtype = np.dtype(np.float64) if dtype.kind in "biu" else dtype
    arrays = [one.astype(dtype) for one in arrays]
    return arrays if len(arrays) == 1 else list(np.broadcast_arrays(*arrays))


def _real(name: str, value: object) -> Any:
    array = lift(CREATORS[np.asarray](value))
    if is_complex(array):
        raise staging_error("AG107", f"`scipy.special.{name}` of a complex value is not supported", None)
    return array


def _scalar(value: Any) -> Any:
    return value[()] if value.ndim == 0 else value
