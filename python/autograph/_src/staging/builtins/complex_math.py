"""The functions of ``cmath`` over staged numbers: NumPy's results with CPython's exceptions.

    cmath.log(z)        ValueError: math domain error, if z is 0
    cmath.exp(z)        OverflowError: math range error, if a finite z gives an infinite result

Importing this module adds them to the table of builtins.
"""

from __future__ import annotations

import cmath
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph._src.numpy.elementwise.ufuncs import apply
from autograph._src.staging.builtins.staged_builtins import TABLE, staged
from autograph._src.staging.complex.complex_numbers import as_double
from autograph._src.staging.complex.complex_tensor import ComplexTensor, made
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.python_scalars import both, cast, compare, negate, require
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, wrap

_FUNCTIONS: dict[Any, np.ufunc] = {
    cmath.exp: np.exp,
    cmath.sqrt: np.sqrt,
    cmath.sin: np.sin,
    cmath.cos: np.cos,
    cmath.tan: np.tan,
    cmath.sinh: np.sinh,
    cmath.cosh: np.cosh,
    cmath.tanh: np.tanh,
    cmath.asin: np.arcsin,
    cmath.acos: np.arccos,
    cmath.atan: np.arctan,
    cmath.asinh: np.arcsinh,
    cmath.acosh: np.arccosh,
    cmath.atanh: np.arctanh,
    cmath.log10: np.log10,
}

_POLES: dict[Any, list[complex]] = {cmath.log10: [0j], cmath.atanh: [1, -1], cmath.atan: [1j, -1j]}
"""The points at which each function raises ``ValueError``."""


def _number(value: object) -> ComplexTensor:
    """The argument as a staged Python ``complex``."""
    x = lift(value)
    return as_double(x.item() if x.form is Form.ARRAY else x)


def _unary(op: str, x: Tensor) -> Tensor:
    return wrap(emit("unary", op, x.read()), Form.PYTHON)


def _either(one: Tensor, other: Tensor) -> Tensor:
    return wrap(emit("binary", "bitwise_or", one.read(), other.read()), Form.PYTHON)


def _finite(z: ComplexTensor) -> Tensor:
    return both(*(_unary("isfinite", part) for part in z.parts))


def _infinite(z: ComplexTensor) -> Tensor:
    return _either(*(_unary("isinf", part) for part in z.parts))


def _require_defined(z: ComplexTensor, poles: list[complex]) -> None:
    for pole in poles:
        number = complex(pole)
        is_there = both(compare("equal", z.real, number.real), compare("equal", z.imag, number.imag))
        require(negate(is_there), ValueError, "math domain error")


def _computed(ufunc: np.ufunc, z: ComplexTensor) -> ComplexTensor:
    result = made(*apply(ufunc, z).parts, form=Form.PYTHON)
    overflowed = both(_finite(z), _infinite(result))
    require(negate(overflowed), OverflowError, "math range error")
    return result


def _function(function: Callable[..., Any]) -> Callable[[Any], Any]:
    def implementation(z: object) -> ComplexTensor:
        number = _number(z)
        _require_defined(number, _POLES.get(function, []))
        return _computed(_FUNCTIONS[function], number)

    return implementation


for _name in _FUNCTIONS:
    TABLE[_name] = _function(_name)


@staged(cmath.log)
def _log(z: object, *base: object) -> object:
    number = _number(z)
    if not base:
        _require_defined(number, [0j])
        return _computed(np.log, number)
    # CPython has an error for the base only: it divides by its logarithm.
    divisor = _number(base[0])
    _require_defined(divisor, [0j, 1])
    return _logarithm(number) / _logarithm(divisor)


def _logarithm(z: ComplexTensor) -> ComplexTensor:
    return made(*apply(np.log, z).parts, form=Form.PYTHON)


@staged(cmath.isclose)
def _isclose(a: object, b: object, *, rel_tol: object = 1e-09, abs_tol: object = 0.0) -> Tensor:
    one, other = _number(a), _number(b)
    relative, absolute = (cast(lift(tolerance), "float64") for tolerance in (rel_tol, abs_tol))
    is_negative = _either(compare("less", relative, 0.0), compare("less", absolute, 0.0))
    require(negate(is_negative), ValueError, "tolerances must be non-negative")
    distance = abs(one - other)
    near = compare("less_equal", distance, absolute)
    for value in (one, other):
        near = _either(near, compare("less_equal", distance, relative * abs(value)))
    equal = [compare("equal", x, y) for x, y in zip(one.parts, other.parts, strict=True)]
    is_infinite = _either(_infinite(one), _infinite(other))
    return _either(both(*equal), both(near, negate(is_infinite)))


@staged(cmath.phase)
def _phase(z: object) -> Tensor:
    number = _number(z)
    return wrap(emit("binary", "arctan2", number.imag.read(), number.real.read()), Form.PYTHON)


@staged(cmath.polar)
def _polar(z: object) -> object:
    number = _number(z)
    return abs(number), _phase(number)


@staged(cmath.rect)
def _rect(r: object, phi: object) -> ComplexTensor:
    size, angle = _number(r), _number(phi)
    for one in (r, phi):
        if isinstance(lift(one), ComplexTensor):
            raise TypeError("must be real number, not complex")
    return made(size.real * _unary("cos", angle.real), size.real * _unary("sin", angle.real))


TABLE[cmath.isfinite] = lambda z: _finite(_number(z))
TABLE[cmath.isinf] = lambda z: _infinite(_number(z))
TABLE[cmath.isnan] = lambda z: _either(*(_unary("isnan", part) for part in _number(z).parts))
