"""Rules of arithmetic, element by element."""
# mypy: ignore-errors

import operator

import numpy as np

from autograph._src.tangent import runtime as tangent
from autograph._src.tangent.registry import adjoint, d, tangent_of


def has_slope(literal):
    """Whether ``x ** literal`` has a derivative by ``x`` wherever Python has the power itself."""
    return type(literal) in (int, float) and (literal >= 1 or literal < 0)


@adjoint(np.add, operator.add, elementwise=True)
def add(z, x1, x2):
    d[x1] = d[z]
    d[x2] = d[z]


@tangent_of(np.add, operator.add)
def add_tangent(z, x1, x2):
    d[z] = d[x1]
    d[z] = d[x2]


@adjoint(operator.or_)
def or_(z, a, b):
    d[a] = tangent.constant_in_union(d[z], a)
    d[b] = tangent.constant_in_union(d[z], b)


@tangent_of(operator.or_)
def or_tangent(z, a, b):
    d[z] = tangent.constant_in_union(d[a], z)
    d[z] = tangent.constant_in_union(d[b], z)


@adjoint(np.subtract, operator.sub, elementwise=True)
def subtract(z, x1, x2):
    d[x1] = d[z]
    d[x2] = -d[z]


@tangent_of(np.subtract, operator.sub)
def subtract_tangent(z, x1, x2):
    d[z] = d[x1]
    d[z] = -d[x2]


@adjoint(np.multiply, operator.mul, elementwise=True)
def multiply(z, x1, x2):
    d[x1] = d[z] * x2
    d[x2] = d[z] * x1


@tangent_of(np.multiply, operator.mul)
def multiply_tangent(z, x1, x2):
    d[z] = d[x1] * x2
    d[z] = x1 * d[x2]


@adjoint(np.divide, operator.truediv, elementwise=True)
def divide(z, x1, x2):
    d[x1] = d[z] / x2
    d[x2] = -d[z] * z / x2


@tangent_of(np.divide, operator.truediv)
def divide_tangent(z, x1, x2):
    d[z] = d[x1] / x2
    d[z] = -z / x2 * d[x2]


@adjoint(np.negative, operator.neg, elementwise=True)
def negative(z, x):
    d[x] = -d[z]


@tangent_of(np.negative, operator.neg)
def negative_tangent(z, x):
    d[z] = -d[x]


@adjoint(np.positive, operator.pos, elementwise=True)
def positive(z, x):
    d[x] = d[z]


@tangent_of(np.positive, operator.pos)
def positive_tangent(z, x):
    d[z] = d[x]


@adjoint(np.power, np.float_power, operator.pow, elementwise=True)
def power(z, x1, x2):
    d[x1] = d[z] * tangent.power_by_base(x1, x2)
    d[x2] = d[z] * tangent.power_by_exponent(x1, z)


@tangent_of(np.power, np.float_power, operator.pow)
def power_tangent(z, x1, x2):
    d[z] = tangent.power_by_base(x1, x2) * d[x1]
    d[z] = tangent.power_by_exponent(x1, z) * d[x2]


@adjoint(np.power, np.float_power, operator.pow, elementwise=True, literals={"x2": has_slope})
def power_of_number(z, x1, x2):
    d[x1] = d[z] * x2 * x1 ** (x2 - 1)


@tangent_of(np.power, np.float_power, operator.pow, literals={"x2": has_slope})
def power_of_number_tangent(z, x1, x2):
    d[z] = x2 * x1 ** (x2 - 1) * d[x1]


@adjoint(np.power, np.float_power, operator.pow, elementwise=True, literals={"x2": 2})
def power_of_two(z, x1, x2):
    d[x1] = d[z] * 2 * x1


@tangent_of(np.power, np.float_power, operator.pow, literals={"x2": 2})
def power_of_two_tangent(z, x1, x2):
    d[z] = 2 * x1 * d[x1]


@adjoint(np.square, elementwise=True)
def square(z, x):
    d[x] = d[z] * 2 * x


@tangent_of(np.square)
def square_tangent(z, x):
    d[z] = 2 * x * d[x]


@adjoint(np.reciprocal, elementwise=True)
def reciprocal(z, x):
    d[x] = -d[z] * z * z


@tangent_of(np.reciprocal)
def reciprocal_tangent(z, x):
    d[z] = -z * z * d[x]


@adjoint(np.sqrt, elementwise=True)
def sqrt(z, x):
    d[x] = d[z] / (2 * z)


@tangent_of(np.sqrt)
def sqrt_tangent(z, x):
    d[z] = d[x] / (2 * z)


@adjoint(np.cbrt, elementwise=True)
def cbrt(z, x):
    d[x] = d[z] / (3 * z * z)


@tangent_of(np.cbrt)
def cbrt_tangent(z, x):
    d[z] = d[x] / (3 * z * z)


@adjoint(np.remainder, operator.mod, elementwise=True)
def remainder(z, x1, x2):
    d[x1] = d[z]
    d[x2] = -d[z] * (x1 // x2)


@tangent_of(np.remainder, operator.mod)
def remainder_tangent(z, x1, x2):
    d[z] = d[x1]
    d[z] = -(x1 // x2) * d[x2]


@adjoint(np.fmod, elementwise=True)
def fmod(z, x1, x2):
    d[x1] = d[z]
    d[x2] = -d[z] * np.trunc(x1 / x2)


@tangent_of(np.fmod)
def fmod_tangent(z, x1, x2):
    d[z] = d[x1]
    d[z] = -np.trunc(x1 / x2) * d[x2]


@adjoint(np.divmod, divmod)
def divmod_(z, x1, x2):
    _bquotient, bremainder = d[z]
    quotient, _remainder = z
    d[x1] = tangent.unbroadcast(bremainder, x1)
    d[x2] = tangent.unbroadcast(-bremainder * quotient, x2)


@tangent_of(np.divmod, divmod)
def divmod_tangent(z, x1, x2):
    quotient, remainder = z
    d[z] = tangent.zeros_like(quotient), tangent.broadcast(d[x1], remainder)
    d[z] = tangent.zeros_like(quotient), tangent.broadcast(-quotient * d[x2], remainder)


@adjoint(np.modf)
def modf(z, x):
    bfraction, _bwhole = d[z]
    d[x] = np.where(np.isinf(x), 0.0, bfraction)


@tangent_of(np.modf)
def modf_tangent(z, x):
    _fraction, whole = z
    d[z] = np.where(np.isinf(x), 0.0, d[x]), tangent.zeros_like(whole)


@adjoint(np.frexp)
def frexp(z, x):
    bmantissa, _bexponent = d[z]
    _mantissa, exponent = z
    d[x] = np.ldexp(bmantissa, -exponent)


@tangent_of(np.frexp)
def frexp_tangent(z, x):
    _mantissa, exponent = z
    d[z] = np.ldexp(d[x], -exponent), tangent.zeros_like(exponent)


@adjoint(np.ldexp, elementwise=True)
def ldexp(z, x1, x2):
    d[x1] = np.ldexp(d[z], x2)


@tangent_of(np.ldexp)
def ldexp_tangent(z, x1, x2):
    d[z] = np.ldexp(d[x1], x2)


@adjoint(np.nextafter, elementwise=True)
def nextafter(z, x1, x2):
    d[x1] = d[z]
    d[x2] = tangent.zeros_like(d[z])


@tangent_of(np.nextafter)
def nextafter_tangent(z, x1, x2):
    d[z] = d[x1]
    d[z] = tangent.zeros_like(d[x2])
