"""Element-wise functions of complex values, by the formulas of NumPy's loops for the parts.

    np.multiply(a, b)       (a.real * b.real - a.imag * b.imag) + (a.real * b.imag + a.imag * b.real)i

Division scales by the larger part of the divisor (Smith's method), as NumPy does. NumPy decides in which
dtype a ufunc computes. Transcendental functions are in `complex_transcendental`, powers in `complex_powers`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from autograph._src.numpy.calls.registry import name_of
from autograph._src.numpy.elementwise import ufuncs
from autograph._src.numpy.elementwise.ufuncs import converted, operand_dtype, resolve
from autograph._src.numpy.shapes.shapes import select
from autograph._src.staging.complex.complex_tensor import (
    ComplexTensor,
    as_complex,
    copied,
    made,
    part_dtype,
    refusal,
)
from autograph._src.staging.tensors.slopes import with_slope
from autograph._src.staging.tensors.tensor import Tensor

Parts = tuple[Any, Any]
"""A real and an imaginary part."""

LOOPS: dict[np.ufunc, Callable[..., Any]] = {}
"""For each ufunc, a function from the parts of its operands to the parts of its result or a real tensor."""

BY_INTEGER: dict[np.ufunc, Callable[[Any, int], object]] = {}
"""For each ufunc with a shorter way for a small int as its second operand, the function that goes it."""

Loop = TypeVar("Loop", bound=Callable[..., Any])


def loop(*functions: np.ufunc) -> Callable[[Loop], Loop]:
    """Registers the function that computes a ufunc of complex operands."""

    def register(implementation: Loop) -> Loop:
        for function in functions:
            LOOPS[function] = implementation
        return implementation

    return register


def real(ufunc: np.ufunc) -> Callable[..., Any]:
    """A ufunc to be applied to parts, which are real."""
    return lambda *operands: ufuncs.apply(ufunc, *operands)


add, subtract, multiply, divide = map(real, (np.add, np.subtract, np.multiply, np.divide))
negative, absolute, hypot, sqrt = map(real, (np.negative, np.absolute, np.hypot, np.sqrt))
equal, less, less_equal, greater_equal = map(real, (np.equal, np.less, np.less_equal, np.greater_equal))
both, either, invert = map(real, (np.bitwise_and, np.bitwise_or, np.logical_not))
isnan, isinf, isfinite = map(real, (np.isnan, np.isinf, np.isfinite))


def choose(test: object, then: Parts, otherwise: Parts) -> Parts:
    """``np.where`` of parts."""
    return select(test, then[0], otherwise[0]), select(test, then[1], otherwise[1])


def sloped(value: Parts, slope: Parts) -> Parts:
    """Parts with the derivatives of others that equal them: see :func:`with_slope`."""
    return with_slope(value[0], slope[0]), with_slope(value[1], slope[1])


def signbit(x: object) -> object:
    """Whether a part is negative, also for -0.0; the sign of a NaN does not matter."""
    return either(less(x, 0), both(equal(x, 0), less(divide(1.0, x), 0)))


def copysign(size: Any, sign: object) -> Tensor:
    """``np.copysign`` for a size that is not negative; the size is a plain number or a part."""
    return select(signbit(sign), negative(size) if isinstance(size, Tensor) else -size, size)


def call_complex(ufunc: np.ufunc, operands: list[Any], given: tuple[Any, ...]) -> object:
    """Records a ufunc call on operands of which one is complex.

    Args:
        ufunc: The ufunc.
        operands: Its operands as tensors or plain numbers.
        given: The operands as the program passed them.
    """
    by_integer = BY_INTEGER.get(ufunc)
    if by_integer is not None and _is_small_integer(given[1]):
        dtypes = resolve(ufunc, tuple(map(operand_dtype, operands)))
        return by_integer(_parts(operands[0], dtypes[0]), int(given[1]))
    whole = ufuncs.COMPLEX_WHOLE.get(ufunc)
    if whole is not None:
        return whole(*operands)
    implementation = LOOPS.get(ufunc)
    if implementation is None:
        raise refused(ufunc, operands)
    dtypes = resolve(ufunc, tuple(map(operand_dtype, operands)))
    parts = [_parts(operand, dtype) for operand, dtype in zip(operands, dtypes, strict=False)]
    return finished(implementation(*parts))


def _is_small_integer(exponent: Any) -> bool:
    if isinstance(exponent, (Tensor, complex)):
        return False
    return bool(np.ndim(exponent) == 0 and -100 < exponent < 100 and exponent == int(exponent))


ufuncs.COMPLEX.append(call_complex)


def finished(result: object) -> object:
    """A result in the form that the program gets, made from its parts or from one real tensor."""
    return made(*result) if isinstance(result, tuple) else result


def refused(function: object, operands: Any) -> Exception:
    """The refusal of a function of complex values, which names the first of them."""
    found = next(_complex_among(operands), None)
    return refusal(f"`{name_of(function)}`", found)


def _complex_among(values: list[Any] | tuple[Any, ...]) -> Any:
    for value in values:
        if isinstance(value, (list, tuple)):
            yield from _complex_among(value)
        elif isinstance(value, ComplexTensor):
            yield value


def _parts(operand: object, dtype: np.dtype[Any]) -> Parts:
    """The parts of an operand, in the real dtype of the ufunc's loop."""
    part = part_dtype(dtype)
    whole = as_complex(operand, part)
    return converted(whole.real, part), converted(whole.imag, part)


# Arithmetic


@loop(np.add)
def _add(a: Parts, b: Parts) -> Parts:
    return add(a[0], b[0]), add(a[1], b[1])


@loop(np.subtract)
def _subtract(a: Parts, b: Parts) -> Parts:
    return subtract(a[0], b[0]), subtract(a[1], b[1])


@loop(np.multiply)
def product(a: Parts, b: Parts) -> Parts:
    """``a * b``."""
    return (
        subtract(multiply(a[0], b[0]), multiply(a[1], b[1])),
        add(multiply(a[0], b[1]), multiply(a[1], b[0])),
    )


@loop(np.divide)
def quotient(a: Parts, b: Parts) -> Parts:
    """``a / b``: divides both by the larger part of ``b`` first, so that no square overflows."""
    sizes = absolute(b[0]), absolute(b[1])
    is_real = greater_equal(*sizes)
    large, small = select(is_real, b[0], b[1]), select(is_real, b[1], b[0])
    ratio = divide(small, large)
    scale = divide(1.0, add(large, multiply(small, ratio)))
    first, second = select(is_real, a[0], a[1]), select(is_real, a[1], a[0])
    upper = multiply(add(first, multiply(second, ratio)), scale)
    turned = multiply(first, ratio)
    lower = multiply(select(is_real, subtract(second, turned), subtract(turned, second)), scale)
    is_zero = both(equal(sizes[0], 0), equal(sizes[1], 0))
    # Another divisor must not be 0, though its quotient is not chosen: its derivative would be NaN.
    size = select(is_zero, sizes[0], 1.0)
    return choose(is_zero, (divide(a[0], size), divide(a[1], size)), (upper, lower))


@loop(np.negative)
def _negative(a: Parts) -> Parts:
    return negative(a[0]), negative(a[1])


@loop(np.positive)
def _positive(a: Parts) -> Parts:
    return copied(a[0]), copied(a[1])


@loop(np.conjugate)
def conjugate(a: Parts) -> Parts:
    """``conj(a)``."""
    return copied(a[0]), negative(a[1])


@loop(np.absolute)
def magnitude(a: Parts) -> object:
    """``abs(a)``."""
    return hypot(a[0], a[1])


@loop(np.square)
def _square(a: Parts) -> Parts:
    return product(a, a)


@loop(np.reciprocal)
def _reciprocal(a: Parts) -> Parts:
    """``1 / a`` by NumPy's formula, which gives NaN for zero."""
    is_real = less_equal(absolute(a[1]), absolute(a[0]))
    large, small = select(is_real, a[0], a[1]), select(is_real, a[1], a[0])
    ratio = divide(small, large)
    denominator = add(large, multiply(small, ratio))
    inverse = divide(1.0, denominator)
    turned = divide(negative(ratio), denominator)
    return select(is_real, inverse, divide(ratio, denominator)), select(is_real, turned, negative(inverse))


@loop(np.sign)
def _sign(a: Parts) -> Parts:
    """``a / abs(a)``, and 0 for 0."""
    size = magnitude(a)
    one, zero = a[0].dtype.type(1), a[0].dtype.type(0)
    is_zero = equal(size, 0)
    divisor = select(is_zero, one, size)
    quotients = divide(a[0], divisor), divide(a[1], divisor)
    usual = sloped(choose(is_zero, a, quotients), choose(is_zero, (zero, zero), quotients))
    is_far = isinf(a[0]), isinf(a[1])
    usual = choose(both(is_far[0], invert(is_far[1])), (copysign(one, a[0]), zero), usual)
    return choose(both(is_far[1], invert(is_far[0])), (zero, copysign(one, a[1])), usual)


@loop(np.rint)
def _rint(a: Parts) -> Parts:
    return ufuncs.apply(np.rint, a[0]), ufuncs.apply(np.rint, a[1])


# Tests and comparisons: NumPy orders complex numbers by their real parts first


@loop(np.equal)
def _equal(a: Parts, b: Parts) -> object:
    return both(equal(a[0], b[0]), equal(a[1], b[1]))


@loop(np.not_equal)
def _not_equal(a: Parts, b: Parts) -> object:
    return invert(_equal(a, b))


def _ordered(of_real: Callable[..., Any], of_imag: Callable[..., Any]) -> Callable[..., Any]:
    def compare(a: Parts, b: Parts) -> Any:
        has_numbers = invert(either(isnan(a[1]), isnan(b[1])))
        first = both(of_real(a[0], b[0]), has_numbers)
        return either(first, both(equal(a[0], b[0]), of_imag(a[1], b[1])))

    return compare


_less = _ordered(less, less)
_greater = _ordered(real(np.greater), real(np.greater))
_greater_equal = _ordered(real(np.greater), greater_equal)
_less_equal = _ordered(less, less_equal)
LOOPS.update({np.less: _less, np.greater: _greater})
LOOPS.update({np.less_equal: _less_equal, np.greater_equal: _greater_equal})


def _has_nan(a: Parts) -> object:
    return either(isnan(a[0]), isnan(a[1]))


@loop(np.maximum)
def _maximum(a: Parts, b: Parts) -> Parts:
    return choose(either(_greater_equal(a, b), _has_nan(a)), a, b)


@loop(np.minimum)
def _minimum(a: Parts, b: Parts) -> Parts:
    return choose(either(_less_equal(a, b), _has_nan(a)), a, b)


@loop(np.fmax)
def _fmax(a: Parts, b: Parts) -> Parts:
    return choose(either(_greater_equal(a, b), _has_nan(b)), a, b)


@loop(np.fmin)
def _fmin(a: Parts, b: Parts) -> Parts:
    return choose(either(_less_equal(a, b), _has_nan(b)), a, b)


def nonzero(a: Parts) -> Any:
    """Whether a number is not zero."""
    return either(ufuncs.to_bool(a[0]), ufuncs.to_bool(a[1]))


LOOPS[np.logical_not] = lambda a: invert(nonzero(a))
LOOPS[np.logical_and] = lambda a, b: both(nonzero(a), nonzero(b))
LOOPS[np.logical_or] = lambda a, b: either(nonzero(a), nonzero(b))
LOOPS[np.logical_xor] = lambda a, b: ufuncs.apply(np.bitwise_xor, nonzero(a), nonzero(b))
LOOPS[np.isnan] = _has_nan
LOOPS[np.isinf] = lambda a: either(isinf(a[0]), isinf(a[1]))
LOOPS[np.isfinite] = lambda a: both(isfinite(a[0]), isfinite(a[1]))
