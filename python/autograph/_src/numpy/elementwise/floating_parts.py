"""The parts of floating-point numbers: ``frexp``, ``ldexp``, ``spacing``, ``nextafter``.

Graphs cannot access the bits of a number. These functions compute with powers of two, which is exact::

    np.frexp(12.0)  ->  (0.75, 4)      # 12 = 0.75 * 2**4
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph._src.numpy.elementwise.float_ufuncs import is_negative
from autograph._src.numpy.elementwise.ufuncs import apply, composed
from autograph._src.numpy.shapes.shapes import select
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.slopes import with_slope


def _power_of_two(exponent: object) -> Any:
    """``2.0 ** exponent`` for an integer exponent in the exponent range of the dtype."""
    return apply(np.exp2, exponent)


def _times_power(x: Any, exponent: Any) -> object:
    """``x * 2 ** exponent`` in several steps, of which only the last may round."""
    limits = np.finfo(x.dtype)
    parts = []
    for _ in range(2):
        part = apply(np.minimum, apply(np.maximum, exponent, float(limits.minexp)), float(limits.maxexp - 1))
        exponent = apply(np.subtract, exponent, part)
        parts.append(part)
    for part in (exponent, *reversed(parts)):
        x = apply(np.multiply, x, _power_of_two(part))
    return x


def _parts(x: Any) -> tuple[Any, Any]:
    """Mantissa and exponent of finite non-zero numbers, both as floats."""
    limits = np.finfo(x.dtype)
    size = apply(np.absolute, x)
    # The logarithm of a denormal is inexact, so denormals are scaled up first.
    is_tiny = apply(np.less, size, float(limits.smallest_normal))
    digits = float(limits.nmant + 2)
    size = select(is_tiny, apply(np.multiply, size, x.dtype.type(2.0**digits)), size)
    exponent = apply(np.add, apply(np.floor, apply(np.log2, size)), 1)
    mantissa = _times_power(size, apply(np.negative, exponent))
    for is_off, factor, step in (
        (apply(np.greater_equal, mantissa, 1), 0.5, 1),
        (apply(np.less, mantissa, 0.5), 2.0, -1),
    ):
        mantissa = select(is_off, apply(np.multiply, mantissa, factor), mantissa)
        exponent = select(is_off, apply(np.add, exponent, step), exponent)
    exponent = select(is_tiny, apply(np.subtract, exponent, digits), exponent)
    return select(apply(np.less, x, 0), apply(np.negative, mantissa), mantissa), exponent


def _is_usual(x: object) -> object:
    """Whether numbers are finite and not 0."""
    return apply(np.bitwise_and, apply(np.isfinite, x), apply(np.not_equal, x, 0))


@composed(np.frexp)
def _frexp(x: Any) -> object:
    is_usual = _is_usual(x)
    mantissa, exponent = _parts(select(is_usual, x, x.dtype.type(1)))
    whole = lift(select(is_usual, exponent, x.dtype.type(0))).astype(np.int32)
    return select(is_usual, mantissa, x), whole


@composed(np.ldexp)
def _ldexp(x: Any, exponent: object) -> object:
    limits = np.finfo(x.dtype)
    furthest = int(limits.maxexp - limits.minexp + limits.nmant + 8)
    near = apply(np.minimum, apply(np.maximum, exponent, -furthest), furthest)
    product = _times_power(x, lift(near).astype(x.dtype))
    return with_slope(lift(select(_is_usual(x), product, x)), product)


def _distance(x: Any) -> object:
    """The distance from finite numbers to the next ones away from 0, always positive."""
    limits = np.finfo(x.dtype)
    is_zero = apply(np.equal, x, 0)
    _, exponent = _parts(select(is_zero, x.dtype.type(1), x))
    lowest = float(limits.minexp - limits.nmant)
    exponent = apply(np.maximum, apply(np.subtract, exponent, float(limits.nmant + 1)), lowest)
    exponent = select(is_zero, x.dtype.type(lowest), exponent)
    return _times_power(lift(np.ones_like(lift(x))), exponent)


@composed(np.spacing)
def _spacing(x: Any) -> object:
    finite = apply(np.isfinite, x)
    distance = _distance(select(finite, x, x.dtype.type(1)))
    is_last = apply(np.equal, apply(np.absolute, x), float(np.finfo(x.dtype).max))
    distance = select(is_last, x.dtype.type(np.inf), distance)
    distance = select(apply(np.less, x, 0), apply(np.negative, distance), distance)
    return select(finite, distance, x.dtype.type(np.nan))


@composed(np.nextafter)
def _nextafter(x: Any, goal: object) -> object:
    limits = np.finfo(x.dtype)
    finite = apply(np.isfinite, x)
    inner = select(finite, x, x.dtype.type(1))
    mantissa, _ = _parts(select(apply(np.equal, inner, 0), x.dtype.type(1), inner))
    rises = apply(np.less, x, goal)
    is_above = apply(np.bitwise_not, is_negative(inner))
    goes_out = apply(np.bitwise_or, apply(np.equal, rises, is_above), apply(np.equal, inner, 0))
    distance = _distance(inner)
    # Below a power of two floats are twice as dense, except below the smallest normal number.
    is_power = apply(np.equal, apply(np.absolute, mantissa), 0.5)
    is_normal = apply(np.greater, apply(np.absolute, inner), float(limits.smallest_normal))
    halves = apply(
        np.bitwise_and, apply(np.bitwise_and, is_power, is_normal), apply(np.bitwise_not, goes_out)
    )
    distance = select(halves, apply(np.multiply, distance, 0.5), distance)
    step = select(rises, distance, apply(np.negative, distance))
    largest = select(rises, x.dtype.type(-limits.max), x.dtype.type(limits.max))
    result = select(finite, apply(np.add, inner, step), largest)
    result = select(apply(np.equal, result, 0), apply(np.multiply, inner, 0), result)
    result = select(apply(np.equal, x, goal), goal, result)
    is_nan = apply(np.bitwise_or, apply(np.isnan, x), apply(np.isnan, goal))
    result = lift(select(is_nan, x.dtype.type(np.nan), result))
    return with_slope(result, select(is_nan, x, x))  # In the shape of both arguments.
