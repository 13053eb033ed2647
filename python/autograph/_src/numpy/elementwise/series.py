"""``np.sinc`` and ``np.i0``: NumPy's own formulas, with the derivatives of series of powers near 0.

sin(y) / y      1 - y**2 / 3! + y**4 / 5! - ...     a quotient, whose derivative at 0 is 0 / 0
i0(x)           1 + (x/2)**2 / 1!**2 + ...          a function of abs(x), which has none at 0
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph._src.numpy.calls.registry import OVERLOADS, overload
from autograph._src.numpy.elementwise.ufuncs import apply
from autograph._src.numpy.shapes.shapes import select
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.slopes import with_slope
from autograph._src.staging.tensors.tensor import Tensor

_SINC = [(-1) ** k / math.factorial(2 * k + 1) for k in range(16)]
"""The coefficients of ``sin(y) / y`` in ``y**2``; the first that is left out is too small for ``y == 2``."""

_I0 = [1 / math.factorial(k) ** 2 for k in range(32)]
"""Those of the Bessel function in ``(x / 2)**2``, for ``x`` up to 8."""

_sinc_of_numpy, _i0_of_numpy = OVERLOADS[np.sinc], OVERLOADS[np.i0]


@overload(np.sinc)
def _sinc(x: object) -> Tensor:
    value = lift(_sinc_of_numpy(x))
    angle = _floats_like(value, x)
    if angle is None:
        return value
    angle = apply(np.multiply, angle, np.pi)
    is_near = apply(np.less, apply(np.absolute, angle), 2.0)
    return with_slope(value, _near_zero(is_near, angle, _SINC, _quotient))


def _quotient(angle: Tensor) -> object:
    return apply(np.divide, apply(np.sin, angle), angle)


@overload(np.i0)
def _i0(x: object) -> Tensor:
    value = lift(_i0_of_numpy(x))
    number = _floats_like(value, x)
    if number is None:
        return value
    is_near = apply(np.less_equal, apply(np.absolute, number), 8.0)
    half = apply(np.multiply, number, 0.5)
    return with_slope(value, _near_zero(is_near, half, _I0, _bessel_of_half))


def _bessel_of_half(half: Tensor) -> object:
    """``i0(2 * half)``; where it is infinite, so are all derivatives."""
    x = apply(np.absolute, apply(np.multiply, half, 2.0))
    growth = apply(np.exp, x)
    is_infinite = apply(np.isinf, growth)
    return select(is_infinite, growth, _i0_of_numpy(select(is_infinite, x.dtype.type(8), x)))


def _floats_like(value: Tensor, x: object) -> Tensor | None:
    """An argument in the dtype of a result of floats; ``None`` of a complex one."""
    given = lift(x)
    if value.dtype.kind != "f" or given.dtype.kind == "c":
        return None
    return lift(given.astype(value.dtype))


def _near_zero(
    is_near: object, x: Tensor, coefficients: Sequence[float], elsewhere: Callable[[Tensor], object]
) -> Tensor:
    """A series in ``x * x`` where a number is near 0, else a function of it."""
    number = x.dtype.type
    near = select(is_near, x, number(0))
    square = apply(np.multiply, near, near)
    total: Any = number(coefficients[-1])
    for coefficient in reversed(coefficients[:-1]):
        total = apply(np.add, apply(np.multiply, total, square), number(coefficient))
    return select(is_near, total, elsewhere(select(is_near, number(8), x)))
