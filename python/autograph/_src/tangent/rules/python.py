"""Rules of Python's functions of numbers: `math`, and builtins."""
# mypy: ignore-errors

import builtins
import math

from autograph._src.tangent import runtime as tangent
from autograph._src.tangent.registry import adjoint, d, tangent_of
from autograph._src.tangent.rules.arithmetic import has_slope


@adjoint(math.sin, elementwise=True)
def sin(z, x):
    d[x] = d[z] * math.cos(x)


@tangent_of(math.sin)
def sin_tangent(z, x):
    d[z] = math.cos(x) * d[x]


@adjoint(math.cos, elementwise=True)
def cos(z, x):
    d[x] = -d[z] * math.sin(x)


@tangent_of(math.cos)
def cos_tangent(z, x):
    d[z] = -math.sin(x) * d[x]


@adjoint(math.tan, elementwise=True)
def tan(z, x):
    d[x] = d[z] * (1 + z * z)


@tangent_of(math.tan)
def tan_tangent(z, x):
    d[z] = (1 + z * z) * d[x]


@adjoint(math.asin, elementwise=True)
def asin(z, x):
    d[x] = tangent.quotient(d[z], math.sqrt((1 - x) * (1 + x)))


@tangent_of(math.asin)
def asin_tangent(z, x):
    d[z] = tangent.quotient(d[x], math.sqrt((1 - x) * (1 + x)))


@adjoint(math.acos, elementwise=True)
def acos(z, x):
    d[x] = -tangent.quotient(d[z], math.sqrt((1 - x) * (1 + x)))


@tangent_of(math.acos)
def acos_tangent(z, x):
    d[z] = -tangent.quotient(d[x], math.sqrt((1 - x) * (1 + x)))


@adjoint(math.atan, elementwise=True)
def atan(z, x):
    d[x] = d[z] / (1 + x * x)


@tangent_of(math.atan)
def atan_tangent(z, x):
    d[z] = d[x] / (1 + x * x)


@adjoint(math.sinh, elementwise=True)
def sinh(z, x):
    d[x] = d[z] * math.cosh(x)


@tangent_of(math.sinh)
def sinh_tangent(z, x):
    d[z] = math.cosh(x) * d[x]


@adjoint(math.cosh, elementwise=True)
def cosh(z, x):
    d[x] = d[z] * math.sinh(x)


@tangent_of(math.cosh)
def cosh_tangent(z, x):
    d[z] = math.sinh(x) * d[x]


@adjoint(math.tanh, elementwise=True)
def tanh(z, x):
    d[x] = d[z] * (1 - z * z)


@tangent_of(math.tanh)
def tanh_tangent(z, x):
    d[z] = (1 - z * z) * d[x]


@adjoint(math.asinh, elementwise=True)
def asinh(z, x):
    d[x] = d[z] / math.hypot(x, 1)


@tangent_of(math.asinh)
def asinh_tangent(z, x):
    d[z] = d[x] / math.hypot(x, 1)


@adjoint(math.acosh, elementwise=True)
def acosh(z, x):
    d[x] = tangent.quotient(d[z], (math.sqrt(x - 1) * math.sqrt(x + 1)))


@tangent_of(math.acosh)
def acosh_tangent(z, x):
    d[z] = tangent.quotient(d[x], (math.sqrt(x - 1) * math.sqrt(x + 1)))


@adjoint(math.atanh, elementwise=True)
def atanh(z, x):
    d[x] = d[z] / ((1 - x) * (1 + x))


@tangent_of(math.atanh)
def atanh_tangent(z, x):
    d[z] = d[x] / ((1 - x) * (1 + x))


@adjoint(math.exp, elementwise=True)
def exp(z, x):
    d[x] = d[z] * z


@tangent_of(math.exp)
def exp_tangent(z, x):
    d[z] = z * d[x]


@adjoint(math.exp2, elementwise=True)
def exp2(z, x):
    d[x] = d[z] * (z * math.log(2))


@tangent_of(math.exp2)
def exp2_tangent(z, x):
    d[z] = (z * math.log(2)) * d[x]


@adjoint(math.expm1, elementwise=True)
def expm1(z, x):
    d[x] = d[z] * (z + 1)


@tangent_of(math.expm1)
def expm1_tangent(z, x):
    d[z] = (z + 1) * d[x]


@adjoint(math.log2, elementwise=True)
def log2(z, x):
    d[x] = d[z] / (x * math.log(2))


@tangent_of(math.log2)
def log2_tangent(z, x):
    d[z] = d[x] / (x * math.log(2))


@adjoint(math.log10, elementwise=True)
def log10(z, x):
    d[x] = d[z] / (x * math.log(10))


@tangent_of(math.log10)
def log10_tangent(z, x):
    d[z] = d[x] / (x * math.log(10))


@adjoint(math.log1p, elementwise=True)
def log1p(z, x):
    d[x] = d[z] / (1 + x)


@tangent_of(math.log1p)
def log1p_tangent(z, x):
    d[z] = d[x] / (1 + x)


@adjoint(math.sqrt, elementwise=True)
def sqrt(z, x):
    d[x] = tangent.quotient(d[z], (2 * z))


@tangent_of(math.sqrt)
def sqrt_tangent(z, x):
    d[z] = tangent.quotient(d[x], (2 * z))


@adjoint(math.cbrt, elementwise=True)
def cbrt(z, x):
    d[x] = tangent.quotient(d[z], (3 * z * z))


@tangent_of(math.cbrt)
def cbrt_tangent(z, x):
    d[z] = tangent.quotient(d[x], (3 * z * z))


@adjoint(math.degrees, elementwise=True)
def degrees(z, x):
    d[x] = d[z] * (180 / math.pi)


@tangent_of(math.degrees)
def degrees_tangent(z, x):
    d[z] = (180 / math.pi) * d[x]


@adjoint(math.radians, elementwise=True)
def radians(z, x):
    d[x] = d[z] * (math.pi / 180)


@tangent_of(math.radians)
def radians_tangent(z, x):
    d[z] = (math.pi / 180) * d[x]


@adjoint(math.erf, elementwise=True)
def erf(z, x):
    d[x] = d[z] * (2 / math.sqrt(math.pi) * math.exp(-x * x))


@tangent_of(math.erf)
def erf_tangent(z, x):
    d[z] = (2 / math.sqrt(math.pi) * math.exp(-x * x)) * d[x]


@adjoint(math.erfc, elementwise=True)
def erfc(z, x):
    d[x] = -d[z] * (2 / math.sqrt(math.pi) * math.exp(-x * x))


@tangent_of(math.erfc)
def erfc_tangent(z, x):
    d[z] = -(2 / math.sqrt(math.pi) * math.exp(-x * x)) * d[x]


@adjoint(math.gamma, elementwise=True)
def gamma(z, x):
    d[x] = d[z] * (z * tangent.digamma(x))


@tangent_of(math.gamma)
def gamma_tangent(z, x):
    d[z] = (z * tangent.digamma(x)) * d[x]


@adjoint(math.lgamma, elementwise=True)
def lgamma(z, x):
    d[x] = d[z] * tangent.digamma(x)


@tangent_of(math.lgamma)
def lgamma_tangent(z, x):
    d[z] = tangent.digamma(x) * d[x]


@adjoint(math.fabs, elementwise=True)
def fabs(z, x):
    d[x] = d[z] * tangent.sign(x)


@tangent_of(math.fabs)
def fabs_tangent(z, x):
    d[z] = tangent.sign(x) * d[x]


@adjoint(math.log, elementwise=True)
def log(z, x, base=None):
    if base is None:
        d[x] = d[z] / x
    else:
        d[x] = d[z] / (x * math.log(base))
        d[base] = -d[z] * z / (base * math.log(base))


@tangent_of(math.log)
def log_tangent(z, x, base=None):
    if base is None:
        d[z] = d[x] / x
    else:
        d[z] = d[x] / (x * math.log(base))
        d[z] = -z / (base * math.log(base)) * d[base]


@adjoint(math.pow, elementwise=True)
def pow(z, x, y):
    d[x] = d[z] * float(tangent.power_by_base(x, y))
    d[y] = d[z] * float(tangent.power_by_exponent(x, z))


@tangent_of(math.pow)
def pow_tangent(z, x, y):
    d[z] = float(tangent.power_by_base(x, y)) * d[x]
    d[z] = float(tangent.power_by_exponent(x, z)) * d[y]


@adjoint(math.atan2, elementwise=True)
def atan2(z, y, x):
    d[y] = d[z] * float(tangent.over_squares(x, y))
    d[x] = -d[z] * float(tangent.over_squares(y, x))


@tangent_of(math.atan2)
def atan2_tangent(z, y, x):
    d[z] = float(tangent.over_squares(x, y)) * d[y]
    d[z] = -float(tangent.over_squares(y, x)) * d[x]


@adjoint(math.hypot)
def hypot(z, *coordinates):
    d[coordinates] = tangent.shares_of_length(d[z], z, coordinates)


@tangent_of(math.hypot)
def hypot_tangent(z, *coordinates):
    d[z] = tangent.dot_of_items(coordinates, d[coordinates]) / tangent.or_one(z)


@adjoint(math.dist)
def dist(z, p, q):
    d[p] = [d[z] * (one - other) / tangent.or_one(z) for one, other in zip(p, q, strict=True)]
    d[q] = [d[z] * (other - one) / tangent.or_one(z) for one, other in zip(p, q, strict=True)]


@tangent_of(math.dist)
def dist_tangent(z, p, q):
    d[z] = tangent.dot_of_items(
        [one - other for one, other in zip(p, q, strict=True)], d[p]
    ) / tangent.or_one(z)
    d[z] = tangent.dot_of_items(
        [other - one for one, other in zip(p, q, strict=True)], d[q]
    ) / tangent.or_one(z)


@adjoint(math.fmod, elementwise=True)
def fmod(z, x, y):
    d[x] = d[z]
    d[y] = -d[z] * math.trunc(x / y)


@tangent_of(math.fmod)
def fmod_tangent(z, x, y):
    d[z] = d[x]
    d[z] = -math.trunc(x / y) * d[y]


@adjoint(math.remainder, elementwise=True)
def remainder(z, x, y):
    d[x] = d[z]
    d[y] = -d[z] * round((x - z) / y)


@tangent_of(math.remainder)
def remainder_tangent(z, x, y):
    d[z] = d[x]
    d[z] = -round((x - z) / y) * d[y]


@adjoint(math.copysign, elementwise=True)
def copysign(z, x, y):
    d[x] = d[z] * tangent.sign(x) * math.copysign(1, y)
    d[y] = 0.0


@tangent_of(math.copysign)
def copysign_tangent(z, x, y):
    d[z] = tangent.sign(x) * math.copysign(1, y) * d[x]
    d[z] = 0.0 * d[y]


@adjoint(math.nextafter, elementwise=True)
def nextafter(z, x, y):
    d[x] = d[z]
    d[y] = 0.0


@tangent_of(math.nextafter)
def nextafter_tangent(z, x, y):
    d[z] = d[x]
    d[z] = 0.0 * d[y]


@adjoint(math.ldexp, elementwise=True)
def ldexp(z, x, i):
    d[x] = math.ldexp(d[z], i)


@tangent_of(math.ldexp)
def ldexp_tangent(z, x, i):
    d[z] = math.ldexp(d[x], i)


@adjoint(math.modf)
def modf(z, x):
    bfraction, _ = d[z]
    d[x] = 0.0 if math.isinf(x) else bfraction


@tangent_of(math.modf)
def modf_tangent(z, x):
    d[z] = (0.0 if math.isinf(x) else d[x], 0.0)


@adjoint(math.frexp)
def frexp(z, x):
    bmantissa, _ = d[z]
    d[x] = math.ldexp(bmantissa, -z[1])


@tangent_of(math.frexp)
def frexp_tangent(z, x):
    d[z] = (math.ldexp(d[x], -z[1]), 0.0)


@adjoint(math.fsum)
def fsum(z, seq):
    d[seq] = tangent.spread_items(d[z], seq)


@tangent_of(math.fsum)
def fsum_tangent(z, seq):
    d[z] = math.fsum(tangent.tangents_of_items(d[seq]))


@adjoint(math.prod)
def prod(z, iterable, *, start=1):
    others = tangent.product_of_others(list(iterable))
    d[iterable] = tangent.items_like([d[z] * start * float(one) for one in others], iterable)
    d[start] = d[z] * math.prod(iterable)


@tangent_of(math.prod)
def prod_tangent(z, iterable, *, start=1):
    others = tangent.product_of_others(list(iterable))
    d[z] = start * tangent.dot_of_items(others, tangent.tangents_of_items(d[iterable]))
    d[z] = math.prod(iterable) * d[start]


@adjoint(builtins.float, elementwise=True)
def float_(z, x):
    d[x] = d[z]


@tangent_of(builtins.float)
def float__tangent(z, x):
    d[z] = d[x]


@adjoint(builtins.complex, elementwise=True)
def complex_(z, real, imag=0):
    d[real] = d[z]
    d[imag] = 1j * d[z]


@tangent_of(builtins.complex)
def complex__tangent(z, real, imag=0):
    d[z] = d[real]
    d[z] = 1j * d[imag]


@adjoint(builtins.sum)
def sum_(z, iterable, start=0):
    d[iterable] = tangent.spread_items(d[z], iterable)
    d[start] = tangent.unbroadcast(d[z], start)


@tangent_of(builtins.sum)
def sum__tangent(z, iterable, start=0):
    d[z] = sum(tangent.tangents_of_items(d[iterable]))
    d[z] = d[start]


@adjoint(builtins.max)
def max_(z, *args):
    d[args] = tangent.largest_item_adjoint(d[z], args)


@tangent_of(builtins.max)
def max__tangent(z, *args):
    d[z] = tangent.largest_item_tangent(d[args], args)


@adjoint(builtins.min)
def min_(z, *args):
    d[args] = tangent.smallest_item_adjoint(d[z], args)


@tangent_of(builtins.min)
def min__tangent(z, *args):
    d[z] = tangent.smallest_item_tangent(d[args], args)


@adjoint(builtins.sorted)
def sorted_(z, iterable, *, reverse=False):
    d[iterable] = tangent.sorted_adjoint(d[z], iterable, reverse)


@tangent_of(builtins.sorted)
def sorted__tangent(z, iterable, *, reverse=False):
    d[z] = tangent.sorted_tangent(d[iterable], iterable, reverse)


@adjoint(builtins.dict)
def dict_(z, mapping):
    d[mapping] = tangent.dict_items(d[z], mapping)


@tangent_of(builtins.dict)
def dict__tangent(z, mapping):
    d[z] = tangent.dict_items(d[mapping], mapping)


@adjoint(builtins.list, builtins.tuple)
def list_(z, iterable):
    d[iterable] = tangent.items_like(d[z], iterable)


@tangent_of(builtins.list, builtins.tuple)
def list__tangent(z, iterable):
    d[z] = tangent.tangents_of_items(d[iterable])


@adjoint(builtins.pow, elementwise=True)
def pow_(z, base, exp):
    d[base] = d[z] * tangent.power_by_base(base, exp)
    d[exp] = d[z] * tangent.power_by_exponent(base, z)


@tangent_of(builtins.pow)
def pow__tangent(z, base, exp):
    d[z] = tangent.power_by_base(base, exp) * d[base]
    d[z] = tangent.power_by_exponent(base, z) * d[exp]


@adjoint(builtins.pow, elementwise=True, literals={"exp": has_slope})
def pow_of_number(z, base, exp):
    d[base] = d[z] * exp * base ** (exp - 1)


@tangent_of(builtins.pow, literals={"exp": has_slope})
def pow_of_number_tangent(z, base, exp):
    d[z] = exp * base ** (exp - 1) * d[base]
