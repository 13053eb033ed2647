"""Floating-point ufuncs that are composed of other ufuncs: roots, signs, logarithms, parts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from autograph._src.numpy.calls.borrowed import STANDINS
from autograph._src.numpy.elementwise.roots import root_of_sum
from autograph._src.numpy.elementwise.ufuncs import COMPOSED, apply, composed, larger_and_below
from autograph._src.numpy.shapes.shapes import select
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.tensor import Form, emit, wrap

COMPOSED[np.conjugate] = COMPOSED[np.positive]


STANDINS[np.sqrt] = root_of_sum


def is_negative(x: object) -> object:
    """``signbit``, where no element is NaN."""
    below = apply(np.less, x, 0)
    return apply(np.bitwise_or, below, apply(np.less, apply(np.divide, 1, x), 0))


def _signed(x: Any) -> object:
    """``is_negative``, with a check: graphs do not keep the sign of a NaN, so a run with one fails."""
    if x.dtype.kind != "f":
        return apply(np.less, x, 0)
    has_sign = np.logical_not(np.any(apply(np.isnan, x)))
    emit("check", lift(has_sign).read(), "GraphRuntimeError", "the sign of a NaN is not staged")
    return is_negative(x)


@composed(np.signbit)
def _signbit(x: object) -> object:
    return _signed(x)


@composed(np.copysign)
def _copysign(x: object, y: object) -> object:
    size = apply(np.absolute, x)
    return select(_signed(y), apply(np.negative, size), size)


@composed(np.heaviside)
def _heaviside(x: Any, at_zero: object) -> object:
    step = select(apply(np.less, x, 0), x.dtype.type(0), x.dtype.type(1))
    step = select(apply(np.equal, x, 0), at_zero, step)
    return select(apply(np.isnan, x), x, step)


@composed(np.logaddexp2)
def _logaddexp2(x: ArrayLike, y: ArrayLike) -> object:
    larger, below = larger_and_below(x, y)
    logarithm = apply(np.multiply, apply(np.log1p, apply(np.exp2, below)), np.log2(np.e).item())
    return apply(np.add, larger, logarithm)


@composed(np.float_power)
def _float_power(x: object, y: object) -> object:
    return apply(np.power, x, y)


@composed(np.modf)
def _modf(x: Any) -> object:
    whole = apply(np.trunc, x)
    is_negative = apply(np.less, x, 0)
    infinite = select(is_negative, x.dtype.type(-0.0), x.dtype.type(0.0))
    # What is left of a whole number is a zero with the number's sign; its derivative is 1 there too.
    opposite = apply(np.negative, x)
    below_zero = apply(np.negative, apply(np.subtract, opposite, apply(np.trunc, opposite)))
    rest = select(is_negative, below_zero, apply(np.subtract, x, whole))
    rest = select(apply(np.equal, x, 0), x, rest)
    return select(apply(np.isinf, x), infinite, rest), whole


def _signbit_of_infinite(x: object, out: object = None) -> object:
    """``signbit`` for ``isposinf`` and ``isneginf``, which use only the signs of infinities."""
    return apply(np.less, x, 0)


STANDINS[np.signbit] = _signbit_of_infinite


def _piecewise(x: object, tests: list[Any], functions: list[Any]) -> object:
    """``piecewise`` for element-wise functions, as `np.i0` calls it.

    Where a function's test is false, it gets the argument 1: an infinite value there would spoil derivatives,
    although it is not selected.
    """
    result: object = np.zeros_like(lift(x))
    otherwise, one = functions[len(tests) :], lift(x).dtype.type(1)
    if otherwise:
        rest = x
        for test in tests:
            rest = select(test, one, rest)
        result = otherwise[0](rest)
    for test, function in zip(tests, functions[: len(tests)], strict=True):
        result = select(test, function(select(test, x, one)), result)
    return wrap(lift(result).read(), Form.ARRAY)


STANDINS[np.piecewise] = _piecewise


@composed(np.bitwise_count)
def _bitwise_count(x: Any) -> object:
    value = apply(np.absolute, x)
    total = wrap(apply(np.bitwise_and, value, 1).read())
    for place in range(1, 8 * x.dtype.itemsize):
        bit = apply(np.bitwise_and, apply(np.right_shift, value, place), 1)
        total = apply(np.add, total, bit)
    return total.astype(np.uint8)
