"""Powers of complex values: by repeated squaring where the exponent is a small integer, as in NumPy.

z ** 3          z * z * z
z ** w          exp(w * log(z))
"""

from __future__ import annotations

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
    product,
    quotient,
    subtract,
)
from autograph._src.numpy.elementwise import ufuncs
from autograph._src.numpy.shapes.shapes import select
from autograph._src.staging.complex.complex_tensor import copied, without_slope
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
    whole = choose(less(exponent, 0), *_powers(a, general, bits))
    twice = product(a, a)
    for count, known in ((1, a), (2, twice), (3, product(a, twice))):
        whole = choose(equal(exponent, count), known, whole)
    return choose(is_whole, _with_slope_by_exponent(whole, a, b), general)


def _powers(a: Parts, like: Parts, bits: object) -> tuple[Parts, Parts]:
    """The reciprocal of an integer power, and the power."""
    result, square = _ones(like), a
    for place in range(7):
        bit = ufuncs.apply(np.bitwise_and, ufuncs.apply(np.right_shift, bits, place), 1)
        result = choose(equal(bit, 1), product(result, square), result)
        square = product(square, square)
    return _inverse(result, a), result


def _inverse(power: Parts, base: Parts) -> Parts:
    """The reciprocal of an integer power of a base, except that 0 does not give a division's infinity."""
    real, imag = quotient(_ones(power), power)
    nan = base[0].dtype.type(np.nan)
    is_zero = _is_zero(base)
    return select(is_zero, nan, real), select(is_zero, nan, imag)


def _is_zero(a: Parts) -> object:
    return both(equal(a[0], 0), equal(a[1], 0))


def _with_slope_by_exponent(whole: Parts, a: Parts, b: Parts) -> Parts:
    """An integer power with a derivative with respect to the exponent, which repeated squaring lacks."""
    slopes = _general_power((without_slope(lift(a[0])), without_slope(lift(a[1]))), b)
    nothing = [subtract(without_slope(one), one) for one in slopes]
    real, imag = (
        subtract(part, select(ufuncs.apply(np.isfinite, one), one, 0.0))
        for part, one in zip(whole, nothing, strict=True)
    )
    return real, imag


def _ones(a: Parts) -> Parts:
    zero = [lift(np.zeros_like(part)) for part in a]
    return add(zero[0], 1.0), add(zero[1], 0.0)


def _general_power(a: Parts, b: Parts) -> Parts:
    usual = exponential(product(b, logarithm(a)))
    base_is_zero = _is_zero(a)
    number = b[0].dtype.type
    # 0 ** b is 0 if the real part of b is positive, and otherwise undefined.
    of_zero = select(less(0, b[0]), number(0), number(np.nan))
    result = choose(base_is_zero, (of_zero, of_zero), usual)
    exponent_is_zero = _is_zero(b)
    return select(exponent_is_zero, 1.0, result[0]), select(exponent_is_zero, 0.0, result[1])
