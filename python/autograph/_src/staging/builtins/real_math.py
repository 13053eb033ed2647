"""The functions of ``math`` over staged numbers: NumPy's results with CPython's exceptions.

    math.asin(2.0)          ValueError: math domain error
    math.exp(1000.0)        OverflowError: math range error

A function raises if its result is no number and its arguments are, or if its result is infinite and its
arguments are finite (CPython's ``math_1`` and ``math_2``). Importing this module adds them to the table of
builtins.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph import _core
from autograph._src.numpy.elementwise.ufuncs import apply
from autograph._src.staging.builtins.number_builtins import NO_REAL, as_scalar
from autograph._src.staging.builtins.staged_builtins import TABLE, call_builtin, staged
from autograph._src.staging.tensors.lifting import is_python_scalar, lift
from autograph._src.staging.tensors.python_scalars import both, cast, compare, either, negate, require
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, wrap

DOMAIN = ValueError, "math domain error"
RANGE = OverflowError, "math range error"


def _float(x: object) -> Tensor:
    return cast(as_scalar(x, NO_REAL), "float64")


def _unary(op: str, x: Tensor) -> Tensor:
    return wrap(emit("unary", op, x.read()), Form.PYTHON)


def _binary(op: str, x: Tensor, y: Tensor) -> Tensor:
    return wrap(emit("binary", op, x.read(), y.read()), Form.PYTHON)


def _select(test: Tensor, x: Tensor, y: Tensor) -> Tensor:
    return wrap(emit("select", test.read(), x.read(), y.read()), Form.PYTHON)


def _all(test: str, values: tuple[Tensor, ...]) -> Tensor:
    return functools.reduce(both, (_unary(test, value) for value in values))


def _any_nan(values: tuple[Tensor, ...]) -> Tensor:
    return functools.reduce(either, (_unary("isnan", value) for value in values))


def _checked(result: Tensor, values: tuple[Tensor, ...], infinite: tuple[type[Exception], str]) -> Tensor:
    """The result; the run raises as CPython does if it is no number, or is infinite."""
    require(either(negate(_unary("isnan", result)), _any_nan(values)), *DOMAIN)
    require(negate(both(_unary("isinf", result), _all("isfinite", values))), *infinite)
    return result


def _of_one(op: str, infinite: tuple[type[Exception], str]) -> Callable[[Any], Any]:
    def implementation(x: object, /) -> Tensor:
        value = _float(x)
        return _checked(_unary(op, value), (value,), infinite)

    return implementation


for _family, _op, _means, *_ in _core.op_table():
    if _means.startswith("math."):
        TABLE[getattr(math, _op)] = _of_one(_op, RANGE)

_OF_ONE = {
    **{name: (name, RANGE) for name in ("exp", "exp2", "expm1", "sinh", "cosh")},
    **{name: (name, DOMAIN) for name in ("sin", "cos", "tan", "tanh", "cbrt", "log2", "log10", "log1p")},
    **{f"a{name}": (f"arc{name}", DOMAIN) for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh")},
}
for _name, (_op, _infinite) in _OF_ONE.items():
    if hasattr(math, _name):
        TABLE[getattr(math, _name)] = _of_one(_op, _infinite)


@staged(math.sqrt)
def _sqrt(x: object, /) -> Tensor:
    value = _float(x)
    require(negate(compare("less", value, 0.0)), *DOMAIN)
    return _unary("sqrt", value)


@staged(math.log)
def _log(x: object, /, *base: object) -> object:
    natural = _of_one("log", DOMAIN)(x)
    return natural if not base else natural / call_builtin(math.log, (lift(base[0]),), {})


def _require_no_pole(value: Tensor) -> None:
    """Of the gamma function: zero and the negative whole numbers."""
    is_pole = both(compare("less_equal", value, 0.0), compare("equal", value, _unary("floor", value)))
    require(negate(both(is_pole, _unary("isfinite", value))), *DOMAIN)


@staged(math.gamma)
def _gamma(x: object, /) -> Tensor:
    value = _float(x)
    _require_no_pole(value)
    return _checked(_unary("gamma", value), (value,), RANGE)


@staged(math.lgamma)
def _lgamma(x: object, /) -> Tensor:
    value = _float(x)
    _require_no_pole(value)
    result = _checked(_unary("gammaln", value), (value,), RANGE)
    return _select(_unary("isinf", value), _unary("absolute", value), result)


@staged(math.fabs)
def _fabs(x: object, /) -> object:
    return abs(_float(x))


@staged(math.degrees)
def _degrees(x: object, /) -> object:
    return _float(x) * (180.0 / math.pi)


@staged(math.radians)
def _radians(x: object, /) -> object:
    return _float(x) * (math.pi / 180.0)


@staged(math.atan2)
def _atan2(y: object, x: object, /) -> Tensor:
    return _binary("arctan2", _float(y), _float(x))


@staged(math.hypot)
def _hypot(*coordinates: object) -> Any:
    values = [_float(one) for one in coordinates]
    return functools.reduce(functools.partial(_binary, "hypot"), values[1:], _unary("absolute", values[0]))


@staged(math.dist)
def _dist(p: Any, q: Any, /) -> object:
    if len(p) != len(q):
        raise ValueError("both points must have the same number of dimensions")
    return _hypot(*[_float(one) - _float(other) for one, other in zip(p, q, strict=True)])


@staged(math.copysign)
def _copysign(x: object, y: object, /) -> Tensor:
    return wrap(apply(np.copysign, _float(x), _float(y)).read(), Form.PYTHON)


@staged(math.fmod)
def _fmod(x: object, y: object, /) -> Tensor:
    values = _float(x), _float(y)
    return _checked(_binary("fmod", *values), values, DOMAIN)


@staged(math.remainder)
def _remainder(x: object, y: object, /) -> Tensor:
    value, divisor = _float(x), _float(y)
    are_numbers = negate(_any_nan((value, divisor)))
    is_undefined = either(_unary("isinf", value), compare("equal", divisor, 0.0))
    require(negate(both(are_numbers, is_undefined)), *DOMAIN)
    size, unit = _unary("absolute", value), _unary("absolute", divisor)
    below = _binary("fmod", size, unit)
    above = unit - below
    # In the middle, the multiple of the divisor is even.
    middle = below - 2.0 * _binary("fmod", 0.5 * (size - below), unit)
    near = _select(compare("greater", below, above), -above, middle)
    found = _select(compare("less", below, above), below, near)
    found = _select(_unary("isinf", divisor), size, found)
    signed = _copysign(1.0, _select(_unary("isnan", value), lift(0.0), value)) * found
    return _select(are_numbers, signed, _select(_unary("isnan", value), value, divisor))


@staged(math.frexp)
def _frexp(x: object, /) -> tuple[Tensor, Tensor]:
    mantissa, exponent = (lift(one) for one in np.frexp(_float(x)))
    return wrap(mantissa.read(), Form.PYTHON), cast(wrap(exponent.read(), Form.PYTHON), "int64")


@staged(math.ldexp)
def _ldexp(x: object, i: Any, /) -> Tensor:
    if not is_python_scalar(i) or lift(i).dtype.kind not in "ib":
        raise TypeError("Expected an int as second argument to ldexp.")
    value = _float(x)
    # No finite number but 0 is a number still after so many doublings or halvings.
    exponent = np.clip(cast(lift(i), "int64"), -4000, 4000)
    result = wrap(lift(np.ldexp(value, exponent)).read(), Form.PYTHON)
    require(negate(both(_unary("isinf", result), _unary("isfinite", value))), *RANGE)
    return result


def _next(x: Tensor, y: object) -> Tensor:
    return wrap(apply(np.nextafter, x, lift(y)).read(), Form.PYTHON)


@staged(math.nextafter)
def _nextafter(x: object, y: object, /) -> Tensor:
    return _next(_float(x), _float(y))


@staged(math.ulp)
def _ulp(x: object, /) -> Tensor:
    value = _unary("absolute", _float(x))
    after = _next(value, math.inf)
    distance = _select(_unary("isinf", after), value - _next(value, 0.0), after - value)
    return _select(_unary("isfinite", value), distance, value)


@staged(math.pow)
def _pow(x: object, y: object, /) -> Tensor:
    values = base, _ = _float(x), _float(y)
    result = _binary("power", *values)
    is_pole = both(compare("equal", base, 0.0), both(_unary("isinf", result), _all("isfinite", values)))
    require(negate(is_pole), *DOMAIN)
    return _checked(result, values, RANGE)


@staged(math.isclose)
def _isclose(a: object, b: object, /, *, rel_tol: object = 1e-09, abs_tol: object = 0.0) -> Tensor:
    one, other, relative, absolute = map(_float, (a, b, rel_tol, abs_tol))
    is_negative = either(compare("less", relative, 0.0), compare("less", absolute, 0.0))
    require(negate(is_negative), ValueError, "tolerances must be non-negative")
    distance = abs(one - other)
    near = [compare("less_equal", distance, abs(relative * value)) for value in (one, other)]
    is_near = functools.reduce(either, (*near, compare("less_equal", distance, absolute)))
    return either(compare("equal", one, other), both(is_near, _all("isfinite", (one, other))))


@staged(math.modf)
def _modf(x: object, /) -> tuple[Tensor, Tensor]:
    value = _float(x)
    whole = _unary("trunc", value)
    # Nothing is left of an infinite number.
    part = _select(_unary("isfinite", value), value - whole, lift(0.0))
    is_nan = _unary("isnan", value)
    return _select(is_nan, value, _copysign(part, _select(is_nan, lift(0.0), value))), whole


for _test, _op in ((math.isnan, "isnan"), (math.isinf, "isinf"), (math.isfinite, "isfinite")):
    TABLE[_test] = lambda x, op=_op: _unary(op, _float(x))
