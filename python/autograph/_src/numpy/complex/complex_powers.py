"""Powers of complex values: by repeated squaring where the exponent is a small integer, as in NumPy.

z ** 3          z * z * z
z ** w          exp(w * log(z))
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph._src.numpy.complex.complex_transcendental import exponential, logarithm
from autograph._src.numpy.complex.complex_ufuncs import (
    BY_INTEGER,
    Parts,
    absolute,
    add,
    both,
    choose,
    equal,
    finished,
    less,
    loop,
    multiply,
    product,
    quotient,
    sloped,
)
from autograph._src.numpy.elementwise import ufuncs
from autograph._src.numpy.shapes.shapes import select
from autograph._src.staging.complex.complex_tensor import copied
from autograph._src.staging.tensors.lifting import lift


def _integer_power(a: Parts, exponent: int) -> object:
    """An integer power by repeated squaring, as NumPy computes it for exponents below 100."""
    count = abs(exponent)
    one = finished(_ones(a))
    result: Parts | None = None
    square = a
    while count:
        if count & 1:
            result = square if result is None else product(result, square)
        count >>= 1
        square = product(square, square) if count else square
    if result is None:
        return one
    if exponent > 0:
        return finished((copied(result[0]), copied(result[1])))
    return finished(_inverse(result, a))


BY_INTEGER[np.power] = _integer_power


@loop(np.power, np.float_power)
def _power(a: Parts, b: Parts) -> Parts:
    """``a ** b``; where the exponent is a small integer at run time, by repeated squaring as in NumPy."""
    exponent = b[0]
    size = absolute(exponent)
    is_real = both(less(size, 100), equal(b[1], 0))
    is_whole = both(is_real, equal(ufuncs.apply(np.floor, exponent), exponent))
    general = _general_power(a, b)
    bits = select(is_whole, size, exponent.dtype.type(0)).astype(np.int64)
    power = _power_by_squaring(a, general, bits)
    whole = choose(less(exponent, 0), _inverse(power, a), power)
    twice = product(a, a)
    for count, known in ((1, a), (2, twice), (3, product(a, twice))):
        whole = choose(equal(exponent, count), known, whole)
    return sloped(choose(is_whole, whole, general), _smooth_power(a, general, is_whole, (b[0], bits)))


def _power_by_squaring(a: Parts, like: Parts, bits: object) -> Parts:
    """An integer power; the exponent is not negative."""
    result, square = _ones(like), a
    for place in range(7):
        bit = ufuncs.apply(np.bitwise_and, ufuncs.apply(np.right_shift, bits, place), 1)
        result = choose(equal(bit, 1), product(result, square), result)
        square = product(square, square)
    return result


def _smooth_power(a: Parts, general: Parts, is_whole: object, exponent: tuple[Any, Any]) -> Parts:
    """The power by formulas that have all derivatives; of 0, those of the products, if the exponent is whole.

    Of other powers of 0, the derivative is 0, or NaN where the real part of the exponent is 1 or less.
    """
    number = a[0].dtype.type
    is_zero = _is_zero(a)
    nothing = select(is_zero, a[0], number(0)), select(is_zero, a[1], number(0))
    of_zero = _power_by_squaring(nothing, general, exponent[1])
    factor = select(less(1, exponent[0]), number(0), number(np.nan))
    broken = multiply(add(*nothing), factor)
    return choose(is_zero, choose(is_whole, of_zero, (broken, broken)), general)


def _inverse(power: Parts, base: Parts) -> Parts:
    """The reciprocal of an integer power of a base, except that 0 does not give a division's infinity."""
    real, imag = quotient(_ones(power), power)
    nan = base[0].dtype.type(np.nan)
    is_zero = _is_zero(base)
    return select(is_zero, nan, real), select(is_zero, nan, imag)


def _is_zero(a: Parts) -> object:
    return both(equal(a[0], 0), equal(a[1], 0))


def _ones(a: Parts) -> Parts:
    zero = [lift(np.zeros_like(part)) for part in a]
    return add(zero[0], 1.0), add(zero[1], 0.0)


def _general_power(a: Parts, b: Parts) -> Parts:
    number = b[0].dtype.type
    base_is_zero = _is_zero(a)
    # The logarithm of 0 is not chosen, but its derivative would be NaN.
    usual = exponential(product(b, logarithm(choose(base_is_zero, (number(1), number(0)), a))))
    # 0 ** b is 0 if the real part of b is positive, and otherwise undefined.
    of_zero = select(less(0, b[0]), number(0), number(np.nan))
    result = choose(base_is_zero, (of_zero, of_zero), usual)
    return sloped(choose(_is_zero(b), (number(1), number(0)), result), result)
