"""Arithmetic of staged Python ``complex`` numbers: division by zero raises, as in CPython.

    z / w       ZeroDivisionError if both parts of ``w`` are 0
    abs(z)      OverflowError if both parts are finite and the result is not

The messages are those of the running CPython.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph._src.staging.complex.complex_tensor import ComplexTensor, as_complex, made
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.python_scalars import binary as of_floats
from autograph._src.staging.tensors.python_scalars import both, cast, compare, negate, require
from autograph._src.staging.tensors.slopes import with_slope
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, wrap
from autograph._src.staging.trace.statements import elementwise

_ARITHMETIC = {"add": np.add, "subtract": np.subtract, "multiply": np.multiply}


def binary(op: str, left: object, right: object) -> Any:
    """``left op right`` for two Python numbers, at least one complex and at least one staged."""
    if op in ("equal", "not_equal"):
        same = _equal(left, right)
        return same if op == "equal" else negate(same)
    if op in _ARITHMETIC:
        return _as_number(elementwise(_ARITHMETIC[op], as_double(left), as_double(right)))
    if op == "divide":
        return _quotient(as_double(left), as_double(right))
    if op == "power":
        return _power(left, right)
    return NotImplemented


def unary(op: str, operand: ComplexTensor) -> ComplexTensor | Tensor:
    """``-z``, ``+z`` or ``abs(z)``."""
    if op == "positive":
        return operand
    if op == "absolute":
        return _magnitude(operand)
    if op == "negative":
        return made(*(wrap(emit("unary", "negative", part.read()), Form.PYTHON) for part in operand.parts))
    raise TypeError("bad operand type for unary ~: 'complex'")


def conjugate(number: ComplexTensor) -> ComplexTensor:
    """``z.conjugate()``."""
    return made(number.real, wrap(emit("unary", "negative", number.imag.read()), Form.PYTHON))


def complex_of(real: object = 0, imag: object = 0) -> ComplexTensor:
    """``complex(real, imag)``, whose arguments may be complex themselves."""
    if not isinstance(lift(real), ComplexTensor) and not isinstance(lift(imag), ComplexTensor):
        return made(_float_of(real), _float_of(imag))
    first, second = as_double(real), as_double(imag)
    if not isinstance(lift(imag), ComplexTensor):
        if isinstance(imag, int) and imag == 0:
            return made(*first.parts)
        return made(first.real, of_floats("add", first.imag, second.real))
    upper = of_floats("subtract", first.real, second.imag)
    return made(upper, of_floats("add", first.imag, second.real))


def _float_of(value: object) -> Tensor:
    x = lift(value)
    return cast(x if x.form is Form.PYTHON else wrap(x.read(), Form.PYTHON), "float64")


def as_double(value: object) -> ComplexTensor:
    """A number as a staged Python ``complex``."""
    x = lift(value)
    if not isinstance(x, ComplexTensor):
        return as_complex(_float_of(x))
    return made(*(_float_of(part) for part in x.parts))


def _as_number(result: Any) -> ComplexTensor:
    return made(*result.parts, form=Form.PYTHON)


def _equal(left: object, right: object) -> Tensor:
    x, y = lift(left), lift(right)
    parts = []
    for one in (x, y):
        parts.append(one.parts if isinstance(one, ComplexTensor) else (one, lift(0.0)))
    return both(of_floats("equal", parts[0][0], parts[1][0]), of_floats("equal", parts[0][1], parts[1][1]))


def _words(call: Callable[[], Any]) -> str:
    """The running CPython's message for a call that raises."""
    try:
        call()
    except ArithmeticError as error:
        return str(error)
    return ""


_ZERO = complex(0)
_DIVISION_BY_ZERO = _words(lambda: 1 / _ZERO)
_POWER_OF_ZERO = _words(lambda: _ZERO**-1j)
_POWER_TOO_LARGE = _words(lambda: (1e200 + 1j) ** 9.5)
_MAGNITUDE_TOO_LARGE = _words(lambda: abs(complex(1.7e308, 1.7e308)))


def _is_zero(number: ComplexTensor) -> Tensor:
    return both(compare("equal", number.real, 0.0), compare("equal", number.imag, 0.0))


def _float(op: str, x: object, y: object) -> Tensor:
    """An operation on floats by IEEE rules, without Python's checks."""
    return wrap(emit("binary", op, lift(x).read(), lift(y).read()), Form.PYTHON)


def _select(test: Tensor, then: Tensor, otherwise: Tensor) -> Tensor:
    return wrap(emit("select", test.read(), then.read(), otherwise.read()), Form.PYTHON)


def _quotient(a: ComplexTensor, b: ComplexTensor) -> ComplexTensor:
    """The quotient by CPython's algorithm, which scales by the larger part of the divisor."""
    require(negate(_is_zero(b)), ZeroDivisionError, _DIVISION_BY_ZERO)
    sizes = [wrap(emit("unary", "absolute", part.read()), Form.PYTHON) for part in b.parts]
    is_real = compare("greater_equal", sizes[0], sizes[1])
    large, small = _select(is_real, b.real, b.imag), _select(is_real, b.imag, b.real)
    first, second = _select(is_real, a.real, a.imag), _select(is_real, a.imag, a.real)
    ratio = _float("divide", small, large)
    below = _float("add", large, _float("multiply", small, ratio))
    upper = _float("divide", _float("add", first, _float("multiply", second, ratio)), below)
    turned = _float("multiply", first, ratio)
    crossed = _select(is_real, _float("subtract", second, turned), _float("subtract", turned, second))
    return made(upper, _float("divide", crossed, below))


def _magnitude(number: ComplexTensor) -> Tensor:
    size = _float("hypot", *number.parts)
    finite = [wrap(emit("unary", "isfinite", part.read()), Form.PYTHON) for part in number.parts]
    overflowed = both(both(*finite), _is_infinite(size))
    require(negate(overflowed), OverflowError, _MAGNITUDE_TOO_LARGE)
    return size


def _is_infinite(x: Tensor) -> Tensor:
    return wrap(emit("unary", "isinf", x.read()), Form.PYTHON)


def _power(left: object, right: Any) -> ComplexTensor:
    """A power: repeated squaring for a small plain integer exponent, else magnitude and angle."""
    a, b = as_double(left), as_double(right)
    is_small = _is_small_integer(right)
    result = _integer_power(a, int(complex(right).real)) if is_small else _unknown_power(a, b)
    for part in result.parts:
        require(negate(_is_infinite(part)), OverflowError, _POWER_TOO_LARGE)
    return result


def _is_small_integer(exponent: Any) -> bool:
    if isinstance(exponent, Tensor):
        return False
    number = complex(exponent)
    return number.imag == 0 and abs(number.real) <= 100 and number.real == int(number.real)


def _integer_power(a: ComplexTensor, exponent: int) -> ComplexTensor:
    result, square, count = as_complex(lift(1.0)), a, abs(exponent)
    while count:
        if count & 1:
            result = binary("multiply", result, square)
        count >>= 1
        square = binary("multiply", square, square) if count else square
    if exponent > 0:
        return made(*result.parts)
    require(negate(_is_zero(result)), ZeroDivisionError, _POWER_OF_ZERO)
    return _quotient(as_complex(lift(1.0)), result)


def _unknown_power(a: ComplexTensor, b: ComplexTensor) -> ComplexTensor:
    """A power with an unknown exponent; if the run finds a small integer, by repeated squaring as CPython."""
    general = _general_power(a, b)
    result, square = as_complex(lift(1.0)), a
    size = wrap(emit("unary", "absolute", b.real.read()), Form.PYTHON)
    floor = wrap(emit("unary", "floor", b.real.read()), Form.PYTHON)
    is_real = both(compare("less_equal", size, 100.0), compare("equal", b.imag, 0.0))
    is_whole = both(is_real, compare("equal", floor, b.real))
    bits = cast(_select(is_whole, size, lift(0.0)), "int64")
    for place in range(7):
        shifted = emit("binary", "right_shift", bits.read(), lift(place).read())
        bit = compare("equal", wrap(emit("binary", "bitwise_and", shifted, lift(1).read()), Form.PYTHON), 1)
        result = _choose(bit, binary("multiply", result, square), result)
        square = binary("multiply", square, square)
    is_negative = compare("less", b.real, 0.0)
    divisor = _choose(is_negative, result, as_complex(lift(1.0)))
    whole = _choose(is_negative, _quotient(as_complex(lift(1.0)), divisor), result)
    return _sloped(_choose(is_whole, whole, general), elementwise(np.power, a, b))


def _sloped(number: ComplexTensor, slope: Any) -> ComplexTensor:
    """A number with the derivatives of another that equals it: see :func:`with_slope`."""
    return made(*map(with_slope, number.parts, slope.parts))


def _choose(test: Tensor, then: ComplexTensor, otherwise: ComplexTensor) -> ComplexTensor:
    return made(*(_select(test, *pair) for pair in zip(then.parts, otherwise.parts, strict=True)))


def _general_power(a: ComplexTensor, b: ComplexTensor) -> ComplexTensor:
    base_is_zero, exponent_is_zero = _is_zero(a), _is_zero(b)
    is_undefined = wrap(
        emit(
            "binary",
            "bitwise_or",
            compare("not_equal", b.imag, 0.0).read(),
            compare("less", b.real, 0.0).read(),
        ),
        Form.PYTHON,
    )
    require(negate(both(base_is_zero, is_undefined)), ZeroDivisionError, _POWER_OF_ZERO)
    size, angle = _float("hypot", *a.parts), _float("arctan2", a.imag, a.real)
    turned = wrap(emit("unary", "exp", _float("multiply", angle, b.imag).read()), Form.PYTHON)
    logarithm = wrap(emit("unary", "log", size.read()), Form.PYTHON)
    is_real = compare("equal", b.imag, 0.0)
    length = _float("power", size, b.real)
    length = _select(is_real, length, _float("divide", length, turned))
    phase = _float("multiply", angle, b.real)
    phase = _select(is_real, phase, _float("add", phase, _float("multiply", b.imag, logarithm)))
    parts = []
    for function, at_zero in (("cos", 1.0), ("sin", 0.0)):
        direction = wrap(emit("unary", function, phase.read()), Form.PYTHON)
        part = _select(base_is_zero, lift(0.0), _float("multiply", length, direction))
        parts.append(_select(exponent_is_zero, lift(at_zero), part))
    return made(*parts)
