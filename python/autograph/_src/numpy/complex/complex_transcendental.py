"""Exponentials, logarithms, roots and trigonometric functions of complex values, computed from the parts.

    np.exp(z)       exp(x) * (cos(y) + sin(y)i)         with z = x + yi
    np.log(z)       log(hypot(x, y)) + arctan2(y, x)i

The formulas stay accurate where the textbook ones do not (near branch points, for large parts), and they have
the limits at infinities that C99 requires.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph._src.numpy.complex.complex_ufuncs import (
    Parts,
    absolute,
    add,
    both,
    choose,
    conjugate,
    copysign,
    divide,
    either,
    equal,
    hypot,
    invert,
    isfinite,
    isinf,
    isnan,
    less,
    loop,
    multiply,
    negative,
    product,
    real,
    signbit,
    sloped,
    sqrt,
    subtract,
)
from autograph._src.numpy.shapes.shapes import select
from autograph._src.staging.tensors.slopes import with_slope

exp, expm1, log, log1p = map(real, (np.exp, np.expm1, np.log, np.log1p))
sin, cos, tan, arctan2 = map(real, (np.sin, np.cos, np.tan, np.arctan2))
sinh, cosh, tanh, arcsinh = map(real, (np.sinh, np.cosh, np.tanh, np.arcsinh))
maximum, minimum = real(np.maximum), real(np.minimum)


@loop(np.exp)
def exponential(a: Parts) -> Parts:
    """``exp(a)``."""
    x, y = a
    # `exp(x)` may overflow where `exp(x) * cos(y)` does not, so its root is multiplied twice.
    root = exp(multiply(x, 0.5))
    usual = multiply(multiply(root, cos(y)), root), multiply(multiply(root, sin(y)), root)
    real_result = exp(x), y
    has_direction = isfinite(y)
    vanishes = both(invert(has_direction), both(isinf(x), less(x, 0)))
    grows = both(invert(has_direction), both(isinf(x), less(0, x)))
    result = choose(vanishes, (multiply(exp(x), 0.0), multiply(exp(x), 0.0)), usual)
    no_number = subtract(y, y)
    result = choose(grows, (exp(x), no_number), result)
    return sloped(choose(equal(y, 0), real_result, result), usual)


@loop(np.log)
def logarithm(a: Parts) -> Parts:
    """``log(a)``."""
    x, y = a
    large, small = maximum(absolute(x), absolute(y)), minimum(absolute(x), absolute(y))
    size = hypot(x, y)
    # Near the unit circle the logarithm is small, and rounding the size has lost its digits.
    above = add(multiply(subtract(large, 1.0), add(large, 1.0)), multiply(small, small))
    near = multiply(log1p(above), 0.5)
    is_near = both(less(0.5, size), less(size, 3.0))
    # The size of a finite number may overflow.
    halved = add(log(hypot(multiply(x, 0.5), multiply(y, 0.5))), float(np.log(2.0)))
    is_large = both(isinf(size), both(isfinite(x), isfinite(y)))
    far = select(is_large, halved, log(size))
    return with_slope(select(is_near, near, far), far), arctan2(y, x)


def _scaled_logarithm(factor: float) -> Any:
    def scaled(a: Parts) -> Parts:
        size, angle = logarithm(a)
        return multiply(size, factor), multiply(angle, factor)

    return scaled


loop(np.log2)(_scaled_logarithm(float(np.log2(np.e))))
loop(np.log10)(_scaled_logarithm(float(np.log10(np.e))))


@loop(np.log1p)
def _log1p(a: Parts) -> Parts:
    """NumPy's own formula."""
    shifted = add(a[0], 1.0)
    return log(hypot(shifted, a[1])), arctan2(a[1], shifted)


@loop(np.exp2)
def _exp2(a: Parts) -> Parts:
    factor = float(np.log(2.0))
    return exponential((multiply(a[0], factor), multiply(a[1], factor)))


@loop(np.expm1)
def _expm1(a: Parts) -> Parts:
    """NumPy's own formula: the half angle keeps what ``cos(y) - 1`` loses."""
    x, y = a
    half = sin(divide(y, 2.0))
    grown = exp(x)
    small = subtract(multiply(expm1(x), cos(y)), multiply(multiply(half, half), 2.0))
    return small, multiply(grown, sin(y))


@loop(np.sqrt)
def root(a: Parts) -> Parts:
    """``sqrt(a)``: the root whose real part is not negative."""
    x, y = a
    # Large numbers are scaled down, so that their size does not overflow.
    is_large = less(1e30, maximum(absolute(x), absolute(y)))
    down, up = (select(is_large, x.dtype.type(factor), x.dtype.type(1.0)) for factor in (1 / 16, 4.0))
    scaled_x, scaled_y = multiply(x, down), multiply(y, down)
    upper = sqrt(multiply(add(absolute(scaled_x), hypot(scaled_x, scaled_y)), 0.5))
    lower = multiply(divide(absolute(scaled_y), multiply(upper, 2.0)), up)
    upper = multiply(upper, up)
    is_right = either(less(0, x), equal(x, 0))
    usual = choose(is_right, (upper, copysign(lower, y)), (lower, copysign(upper, y)))
    is_zero = both(equal(x, 0), equal(y, 0))
    result = choose(is_zero, (absolute(x), y), usual)
    of_infinite = absolute(y), y
    return sloped(choose(isinf(y), of_infinite, result), _smooth_root((scaled_x, scaled_y), is_right, up))


def _smooth_root(a: Parts, is_right: object, scale: object) -> Parts:
    """The root by formulas that have derivatives on the axes, and on the cut those of one side."""
    x, y = a
    upper = sqrt(multiply(add(select(is_right, x, negative(x)), hypot(x, y)), 0.5))
    lower = multiply(divide(y, multiply(upper, 2.0)), scale)
    upper = multiply(upper, scale)
    side = copysign(x.dtype.type(1), y)
    return choose(is_right, (upper, lower), (multiply(lower, side), multiply(upper, side)))


def _turned(a: Parts) -> Parts:
    """``a * 1j``, exactly."""
    return negative(a[1]), a[0]


def _turned_back(a: Parts) -> Parts:
    """``a * -1j``, exactly."""
    return a[1], negative(a[0])


def _growing(function: Callable[..., Any], x: object, factor: object) -> object:
    """``sinh(x) * factor`` or ``cosh(x) * factor``, also where only the product is in range."""
    root_of = exp(multiply(absolute(x), 0.5))
    large = multiply(multiply(multiply(root_of, 0.5), factor), root_of)
    signed = select(less(x, 0), negative(large), large) if function is sinh else large
    is_far = less(22.0, absolute(x))
    return select(is_far, signed, multiply(function(select(is_far, 0.0, x)), factor))


@loop(np.sinh)
def _sinh(a: Parts) -> Parts:
    x, y = a
    usual = _growing(sinh, x, cos(y)), _growing(cosh, x, sin(y))
    no_number, has_direction = subtract(y, y), isfinite(y)
    result = choose(both(isinf(x), invert(has_direction)), (absolute(x), no_number), usual)
    result = choose(both(equal(x, 0), invert(has_direction)), (x, no_number), result)
    return sloped(choose(equal(y, 0), (sinh(x), y), result), usual)


@loop(np.cosh)
def _cosh(a: Parts) -> Parts:
    x, y = a
    usual = _growing(cosh, x, cos(y)), _growing(sinh, x, sin(y))
    no_number, has_direction = subtract(y, y), isfinite(y)
    result = choose(both(isinf(x), invert(has_direction)), (absolute(x), no_number), usual)
    result = choose(both(equal(x, 0), invert(has_direction)), (no_number, x), result)
    return sloped(choose(equal(y, 0), (cosh(x), select(signbit(x), negative(y), y)), result), usual)


@loop(np.tanh)
def _tanh(a: Parts) -> Parts:
    """``tanh(a)`` by Kahan's formula, which does not overflow."""
    x, y = a
    is_far = less(22.0, absolute(x))
    tangent = tan(y)
    beta = add(multiply(tangent, tangent), 1.0)
    grown = sinh(select(is_far, 0.0, x))
    rho = sqrt(add(multiply(grown, grown), 1.0))
    below = add(multiply(multiply(beta, grown), grown), 1.0)
    usual = divide(multiply(multiply(beta, rho), grown), below), divide(tangent, below)
    direction = select(isfinite(y), sin(multiply(y, 2.0)), copysign(x.dtype.type(1), y))
    far = copysign(x.dtype.type(1), x), multiply(direction, 0.0)
    has_limit = either(isfinite(y), isinf(x))
    no_number = subtract(y, y)
    usual = choose(is_far, choose(has_limit, far, (no_number, no_number)), usual)
    result = choose(both(equal(x, 0), invert(isfinite(y))), (x, no_number), usual)
    return sloped(choose(equal(y, 0), (tanh(x), y), result), usual)


@loop(np.sin)
def _sin(a: Parts) -> Parts:
    return _turned_back(_sinh(_turned(a)))


@loop(np.cos)
def _cos(a: Parts) -> Parts:
    return _cosh(_turned(a))


@loop(np.tan)
def _tan(a: Parts) -> Parts:
    return _turned_back(_tanh(_turned(a)))


@loop(np.arcsinh)
def _arcsinh(a: Parts) -> Parts:
    return _turned_back(_arcsin(_turned(a)))


def _is_infinite(a: Parts) -> object:
    return either(isinf(a[0]), isinf(a[1]))


@loop(np.arcsin)
def _arcsin(a: Parts) -> Parts:
    """``arcsin(a)`` by Kahan's formulas, which keep the signs of zeros."""
    x, y = a
    left, right = root(_one_less(a)), root(_one_more(a))
    usual = arctan2(x, product(left, right)[0]), arcsinh(product(conjugate(left), right)[1])
    result = choose(both(equal(x, 0), isnan(y)), (x, y), usual)
    infinity = copysign(x.dtype.type(np.inf), y)
    return sloped(choose(_is_infinite(a), (arctan2(x, absolute(y)), infinity), result), usual)


@loop(np.arccos)
def _arccos(a: Parts) -> Parts:
    x, y = a
    left, right = root(_one_less(a)), root(_one_more(a))
    usual = multiply(arctan2(left[0], right[0]), 2.0), arcsinh(product(conjugate(right), left)[1])
    result = choose(both(equal(x, 0), isnan(y)), (add(x, np.pi / 2), y), usual)
    infinity = negative(copysign(x.dtype.type(np.inf), y))
    return sloped(choose(_is_infinite(a), (arctan2(absolute(y), x), infinity), result), usual)


@loop(np.arccosh)
def _arccosh(a: Parts) -> Parts:
    x, y = a
    left, right = root((subtract(x, 1.0), y)), root(_one_more(a))
    usual = arcsinh(product(conjugate(left), right)[0]), multiply(arctan2(left[1], right[0]), 2.0)
    infinity = x.dtype.type(np.inf)
    return sloped(choose(_is_infinite(a), (infinity, arctan2(y, x)), usual), usual)


@loop(np.arctan)
def _arctan(a: Parts) -> Parts:
    return _turned_back(_arctanh(_turned(a)))


@loop(np.arctanh)
def _arctanh(a: Parts) -> Parts:
    """``arctanh(a)`` as ``(log1p(a) - log1p(-a)) / 2``, computed from the parts of both."""
    x, y = a
    squared = multiply(y, y)
    far = with_slope(absolute(x), select(less(x, 0), negative(x), x))
    # log(|1 + a|^2 / |1 - a|^2) / 4 for positive x, where |1 + a|^2 is |1 - a|^2 + 4x.
    distance = add(multiply(subtract(1.0, far), subtract(1.0, far)), squared)
    size = multiply(log1p(divide(multiply(far, 4.0), distance)), 0.25)
    # At 1 the distance is the imaginary part, whose square may underflow.
    is_pole = both(equal(far, 1), less(absolute(y), 1e-15))
    nearest = multiply(subtract(float(np.log(2.0)), log(select(is_pole, absolute(y), 1.0))), 0.5)
    size = select(is_pole, nearest, size)
    distances = subtract(multiply(subtract(1.0, x), add(x, 1.0)), squared)
    angle = multiply(arctan2(multiply(y, 2.0), distances), 0.5)
    usual = select(less(x, 0), negative(size), size), angle
    result = choose(both(equal(x, 0), isnan(y)), (x, y), (copysign(size, x), angle))
    right_angle = select(isnan(y), y, copysign(x.dtype.type(np.pi / 2), y))
    return sloped(choose(_is_infinite(a), (copysign(x.dtype.type(0), x), right_angle), result), usual)


def _one_less(a: Parts) -> Parts:
    """``1 - a``."""
    return subtract(1.0, a[0]), negative(a[1])


def _one_more(a: Parts) -> Parts:
    """``1 + a``."""
    return add(a[0], 1.0), a[1]
