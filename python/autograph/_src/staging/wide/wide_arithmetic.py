"""The operators of Python ints of 64 bits without a sign, on the int64 that holds their bits.

    h * 31 + x          the low 64 bits wrap around; an open int, see `wide_int.py`
    h & 0xffff          low bits of an open int: nothing is asked
    h >> 7              a shift of bits without a sign

The other operand may be an int64, with a sign. A result that is negative, or has more than 64 bits, raises
``OverflowError`` in the run unless only its low bits are used.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from autograph._src.staging.tensors import python_scalars
from autograph._src.staging.tensors.lifting import beyond_64_bits, constant, lift
from autograph._src.staging.tensors.python_scalars import (
    both,
    cast,
    compare,
    left_64_bits,
    negate,
    require,
    require_error,
)
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, wrap
from autograph._src.staging.trace.active import staging_error
from autograph._src.staging.wide.wide_int import (
    LIMIT,
    WideInt,
    as_wide,
    bits_of,
    is_beyond_int64,
)

Number = Tensor | int | float
"""A Python number, plain or staged."""

_LARGEST = 2**63 - 1


@dataclass(frozen=True)
class _Operand:
    """An int, as its bits.

    Attributes:
        bits: The low 64 bits.
        is_negative: Records whether it is negative; ``None`` for an int that never is. Recorded where it is
            asked: another use of an int keeps the optimiser from letting it lose its high bits.
        fits: For an open int, records whether it has no other bits.
        literal: The int, if it is plain.
    """

    bits: Tensor
    is_negative: Callable[[], Tensor] | None
    fits: Callable[[], Tensor] | None
    literal: int | None

    @property
    def is_settled(self) -> bool:
        """Whether its bits are all of it, and it is not negative."""
        return self.fits is None and self.is_negative is None


def _operand(value: Number, *, needs_all: bool = False) -> _Operand:
    """An operand.

    Args:
        value: A plain or staged int or bool.
        needs_all: Whether the operator needs all bits, and not only the low ones.
    """
    if isinstance(value, WideInt):
        if needs_all:
            return _Operand(value.whole(), None, None, None)
        return _Operand(value.bits, None, value.fits, None)
    if not isinstance(value, Tensor):
        return _literal(int(value), needs_all)
    number = cast(value, "int64")
    sign = None if value.dtype.kind == "b" else lambda: compare("less", number, 0)
    return _Operand(number, sign, None, None)


def _literal(value: int, needs_all: bool) -> _Operand:
    """A plain int, of which one with more than 64 bits is refused where more than its low bits are needed."""
    sign = _always if value < 0 else None
    if -(2**63) <= value < LIMIT:
        return _Operand(bits_of(value), sign, None, value)
    refusal = beyond_64_bits(value)  # Made here, as its place is the operator's line.
    if needs_all:
        raise refusal

    def fits() -> NoReturn:
        raise refusal

    return _Operand(bits_of(value), sign, fits, None)


def binary(op: str, left: Number, right: Number) -> Any:
    """``left op right`` for two Python numbers, one of them an int that no int64 holds, or may not.

    Raises:
        StagingError: If a plain int has more than 64 bits and the result could depend on them (AG104).
    """
    if _is_float(left) or _is_float(right):
        return _with_float(op, left, right)
    if op in _COMPARISONS:
        return _compared(op, left, right)
    return _OPERATORS[op](left, right)


def unary(op: str, operand: WideInt) -> Tensor:
    """``-x``, ``+x``, ``~x`` or ``abs(x)``."""
    if op in ("positive", "absolute"):
        return operand
    if op == "invert":  # Negative, of which a mask takes the low bits.
        return WideInt(_raw("bitwise_xor", operand.bits, bits_of(-1)), _never)
    zero = bits_of(0)
    return WideInt(_raw("subtract", zero, operand.bits), lambda: compare("equal", operand.whole(), 0))


def _refusal(what: str) -> Exception:
    return staging_error(
        "AG104",
        f"{what} is not staged for Python ints of 64 bits without a sign",
        "take low bits first: `h & 0x7fffffffffffffff`",
    )


def _raw(op: str, x: Tensor, y: Tensor) -> Tensor:
    """An operator on the bits, which wrap around."""
    return wrap(emit("binary", op, x.read(), y.read()), Form.PYTHON)


def _low_bits(x: Tensor, mask: int) -> Tensor:
    """``x & mask``, which lets the ints that `x` is computed from have more than 64 bits."""
    return wrap(emit("binary", "bitwise_and", x.read(), bits_of(mask).read(), True), Form.PYTHON)


def _never() -> Tensor:
    return constant(False, "bool", Form.PYTHON)


def _always() -> Tensor:
    return constant(True, "bool", Form.PYTHON)


def _all_of(*conditions: Callable[[], Tensor] | None) -> Callable[[], Tensor] | None:
    """Records whether all of these hold."""
    present = [one for one in conditions if one is not None]
    if not present:
        return None

    def fits() -> Tensor:
        first, *others = [one() for one in present]
        for other in others:
            first = both(first, other)
        return first

    return fits


def _is_not_negative(*operands: _Operand) -> Callable[[], Tensor] | None:
    signs = [one.is_negative for one in operands if one.is_negative is not None]
    return _all_of(*(_not(sign) for sign in signs))


def _not(condition: Callable[[], Tensor]) -> Callable[[], Tensor]:
    return lambda: negate(condition())


def _is_below(x: Tensor, y: Tensor) -> Tensor:
    """``x < y`` of bits without a sign."""
    smallest = bits_of(2**63)
    return compare("less", _raw("bitwise_xor", x, smallest), _raw("bitwise_xor", y, smallest))


def _select(where: Tensor, x: Tensor, y: Tensor) -> Tensor:
    return wrap(emit("select", where.read(), x.read(), y.read()), Form.PYTHON)


# Sums and products


def _add(left: Number, right: Number) -> WideInt:
    x, y = _operand(left), _operand(right)
    if x.is_negative is not None:
        x, y = y, x  # One of them is not negative.
    total = _raw("add", x.bits, y.bits)

    def fits() -> Tensor:
        came_round = _is_below(total, x.bits)
        return negate(came_round) if y.is_negative is None else compare("equal", came_round, y.is_negative())

    return WideInt(total, _all_of(x.fits, y.fits, fits))


def _subtract(left: Number, right: Number) -> WideInt:
    x, y = _operand(left), _operand(right)
    rest = _raw("subtract", x.bits, y.bits)

    def fits() -> Tensor:
        came_round = _is_below(x.bits, rest)
        return negate(came_round) if y.is_negative is None else compare("equal", came_round, y.is_negative())

    return WideInt(rest, _all_of(x.fits, y.fits, _is_not_negative(x), fits))


def _multiply(left: Number, right: Number) -> WideInt:
    x, y = _operand(left), _operand(right)
    product = _raw("multiply", x.bits, y.bits)

    def fits() -> Tensor:
        """Whether the product of the halves stays below 2**64."""
        high_x, high_y = _shifted_right(x.bits, 32), _shifted_right(y.bits, 32)
        low_x, low_y = _low_bits(x.bits, 2**32 - 1), _low_bits(y.bits, 2**32 - 1)
        is_one_low = compare("equal", _raw("multiply", high_x, high_y), 0)
        # One of the high halves is zero, so that this is a single product of two halves.
        middle = _raw("add", _raw("multiply", high_x, low_y), _raw("multiply", low_x, high_y))
        is_middle_low = compare("equal", _shifted_right(middle, 32), 0)
        upper = _raw("left_shift", middle, bits_of(32))
        is_whole = negate(_is_below(_raw("add", upper, _raw("multiply", low_x, low_y)), upper))
        return both(both(is_one_low, is_middle_low), is_whole)

    return WideInt(product, _all_of(x.fits, y.fits, _is_not_negative(x, y), fits))


def _power(left: Number, right: Number) -> Any:
    if right == 2 and type(right) is int:
        return _multiply(left, left)
    raise _refusal("`**` of another exponent than 2")


# Bits


def _and(left: Number, right: Number) -> Tensor:
    x, y = _operand(left), _operand(right)
    if y.literal is None:
        x, y = y, x
    if y.literal is not None and y.literal >= 0:
        low = _low_bits(x.bits, y.literal)
        return low if y.literal <= _LARGEST else WideInt(low)
    found = _raw("bitwise_and", x.bits, y.bits)
    if x.is_settled or y.is_settled:
        return WideInt(found)
    # Of two negative ints the result is negative; one that is not has no bits above those, if it fits.
    bound = next((one for one in (x, y) if one.is_negative is None), None)
    return WideInt(found, _all_of(x.fits, y.fits, _never) if bound is None else bound.fits)


def _or(left: Number, right: Number) -> WideInt:
    x, y = _operand(left), _operand(right)
    return WideInt(_raw("bitwise_or", x.bits, y.bits), _all_of(x.fits, y.fits, _is_not_negative(x, y)))


def _xor(left: Number, right: Number) -> WideInt:
    x, y = _operand(left), _operand(right)
    return WideInt(_raw("bitwise_xor", x.bits, y.bits), _all_of(x.fits, y.fits, _is_not_negative(x, y)))


def _places(count: Number) -> Tensor | int:
    """A number of places to shift by: a plain int, or an int64."""
    if is_beyond_int64(count):
        raise beyond_64_bits(count)
    number = count.ag_number() if isinstance(count, WideInt) else count
    if not isinstance(number, Tensor):
        if number < 0:
            raise ValueError("negative shift count")
        return int(number)
    number = cast(number, "int64")
    require(compare("greater_equal", number, 0), ValueError, "negative shift count")
    return number


def _shifted_right(bits: Tensor, places: Tensor | int) -> Tensor:
    """Bits without a sign, shifted to the right."""
    if isinstance(places, int):
        if not 0 < places < 64:
            return bits if places == 0 else bits_of(0)
        return _low_bits(_raw("right_shift", bits, bits_of(places)), 2 ** (64 - places) - 1)
    half = _shifted_right(bits, 1)
    is_long = compare("greater", places, 63)
    rest = _select(is_long, bits_of(63), _raw("subtract", places, bits_of(1)))
    shifted = _raw("right_shift", half, _select(compare("less", rest, 0), bits_of(0), rest))
    return _select(compare("equal", places, 0), bits, shifted)


def _shifted_left(bits: Tensor, places: Tensor | int) -> Tensor:
    """Bits shifted to the left; those that leave are lost."""
    if isinstance(places, int):
        return _raw("left_shift", bits, bits_of(places)) if places < 64 else bits_of(0)
    is_long = compare("greater", places, 63)
    moved = _raw("left_shift", bits, _select(is_long, bits_of(0), places))
    return _select(is_long, bits_of(0), moved)


def _left_shift(left: Number, right: Number) -> Any:
    places = _places(right)
    if not isinstance(left, WideInt) and not is_beyond_int64(left):
        return python_scalars.binary("left_shift", left, places)
    x = _operand(left)
    moved = _shifted_left(x.bits, places)
    return WideInt(moved, _all_of(x.fits, lambda: compare("equal", _shifted_right(moved, places), x.bits)))


def _right_shift(left: Number, right: Number) -> Any:
    places = _places(right)
    if not isinstance(left, WideInt) and not is_beyond_int64(left):
        return python_scalars.binary("right_shift", left, places)
    shifted = _shifted_right(_operand(left, needs_all=True).bits, places)
    return shifted if isinstance(places, int) and places > 0 else WideInt(shifted)


# Division


def _remainder(left: Number, right: Number) -> Any:
    if type(right) is int and 0 < right <= LIMIT and right & (right - 1) == 0:
        return _and(left, right - 1)
    if is_beyond_int64(right):
        return _remainder_of_large(left, right)
    if isinstance(right, WideInt):
        return _divided(left, right, "integer modulo by zero")[1]
    divisor = _divisor(right, "integer modulo by zero")
    if not isinstance(left, WideInt) and not is_beyond_int64(left):
        return python_scalars.binary("remainder", left, divisor)
    return _rest(_operand(left, needs_all=True).bits, divisor)


def _remainder_of_large(left: Any, right: int) -> WideInt:
    """The remainder of a literal above the largest int64: each int is below it, or below it once more."""
    x, by = _operand(left, needs_all=True), _operand(right, needs_all=True)
    if right < 0:
        raise beyond_64_bits(right)
    if x.is_negative is not None:
        return WideInt(_select(x.is_negative(), _raw("add", x.bits, by.bits), x.bits))
    return WideInt(_select(_is_below(x.bits, by.bits), x.bits, _raw("subtract", x.bits, by.bits)))


def _divisor(value: Number, words: str) -> Tensor:
    """A divisor as a positive int64; the run raises if it is zero, or negative."""
    divisor = cast(lift(value), "int64")
    require(compare("not_equal", divisor, 0), ZeroDivisionError, words)
    require_error(compare("greater", divisor, 0), left_64_bits)
    return divisor


def _rest(bits: Tensor, divisor: Tensor) -> Tensor:
    """The remainder: that of twice the remainder of the half, and of the last bit."""
    half = _raw("remainder", _shifted_right(bits, 1), divisor)
    last = _low_bits(bits, 1)
    two = bits_of(2)
    return wrap(emit("mul_add_mod", half.read(), two.read(), last.read(), divisor.read()), Form.PYTHON)


def _floor_divide(left: Number, right: Number) -> Any:
    if is_beyond_int64(right):
        x, by = _operand(left, needs_all=True), _operand(right, needs_all=True)
        if right < 0 or x.is_negative is not None:
            raise beyond_64_bits(right)
        return cast(negate(_is_below(x.bits, by.bits)), "int64")
    if isinstance(right, WideInt):
        return _divided(left, right, "integer division or modulo by zero")[0]
    divisor = _divisor(right, "integer division or modulo by zero")
    if not isinstance(left, WideInt) and not is_beyond_int64(left):
        return python_scalars.binary("floor_divide", left, divisor)
    quotient = _quotient(_operand(left, needs_all=True).bits, divisor)
    return quotient if type(right) is int and right > 1 else WideInt(quotient)


def _quotient(bits: Tensor, divisor: Tensor) -> Tensor:
    """The quotient by a positive int64: twice that of the half, and one more where the rest allows it."""
    half = _raw("floor_divide", _shifted_right(bits, 1), divisor)
    low = _raw("left_shift", half, bits_of(1))
    rest = _raw("subtract", bits, _raw("multiply", low, divisor))
    return _raw("add", low, cast(negate(_is_below(rest, divisor)), "int64"))


def _divided(left: Number, right: WideInt, words: str) -> tuple[WideInt, WideInt]:
    """Quotient and remainder by a staged int; one above the largest int64 is in the dividend once at most."""
    number = left if isinstance(left, WideInt) or not isinstance(left, Tensor) else cast(left, "int64")
    x, by = as_wide(number).whole(), right.whole()
    require(compare("not_equal", by, 0), ZeroDivisionError, words)
    is_large = compare("less", by, 0)
    once = cast(negate(_is_below(x, by)), "int64")
    quotient = _select(is_large, once, _quotient(x, _select(is_large, bits_of(1), by)))
    return WideInt(quotient), WideInt(_raw("subtract", x, _raw("multiply", quotient, by)))


def _divide(left: Number, right: Number) -> Tensor:
    """``left / right`` by a literal that is a power of two: exact but for the rounding of the int itself."""
    if type(right) is not int or right <= 0 or right & (right - 1) or right.bit_length() > 1000:
        raise _refusal("`/` by another number than a power of two")
    return python_scalars.binary("multiply", _as_float(left), 1.0 / right)


# Comparisons, and floats


def _compared(op: str, left: Number, right: Number) -> Any:
    for one, other, mirrored in ((left, right, False), (right, left, True)):
        if type(one) is int and not -(2**63) <= one < LIMIT:
            is_above = (one > 0) is not mirrored
            is_true = {"equal": False, "not_equal": True}.get(op, op.startswith("greater") is is_above)
            return _known(is_true, other)
    x, y = _operand(left, needs_all=True), _operand(right, needs_all=True)
    if op in ("equal", "not_equal"):
        equal = compare("equal", x.bits, y.bits)
        signs = _is_not_negative(x, y)
        equal = equal if signs is None else both(equal, signs())
        return equal if op == "equal" else negate(equal)
    x, y = (y, x) if op in ("greater", "less_equal") else (x, y)
    below = _is_below(x.bits, y.bits)
    if x.is_negative is not None:
        below = python_scalars.either(x.is_negative(), below)
    if y.is_negative is not None:
        below = both(negate(y.is_negative()), below)
    return below if op in ("less", "greater") else negate(below)


def _known(is_true: bool, value: Number) -> Tensor:
    """What a comparison with a literal of more bits gives, if the int has no more than 64 itself.

    The int is compared, so that the run raises where it has more, though a mask takes its low bits elsewhere.
    """
    x = _operand(value, needs_all=True)
    shown = compare("less_equal", x.bits, _LARGEST) if x.is_negative is not None else _always()
    return shown if is_true else negate(shown)


def _is_float(value: Number) -> bool:
    return value.dtype.kind == "f" if isinstance(value, Tensor) else isinstance(value, float)


def _as_float(value: Number) -> Tensor | float:
    """A number as Python converts it to a float."""
    if isinstance(value, Tensor):
        return value if value.dtype.kind == "f" else cast(value, "float64")
    try:
        return float(value)
    except OverflowError:
        raise beyond_64_bits(value) from None


def _with_float(op: str, left: Number, right: Number) -> Any:
    if op not in _COMPARISONS:
        return python_scalars.binary(op, _as_float(left), _as_float(right))
    if isinstance(left, WideInt) or isinstance(right, WideInt):
        raise _refusal("a comparison with a float")
    if is_beyond_int64(right):
        return _float_against(op, left, right)
    return _with_float(_MIRRORED.get(op, op), right, left)


def _float_against(op: str, x: Any, number: int) -> Tensor:
    """Compares a float with a literal exactly, by the float next to it."""
    near = _as_float(number)
    if near == number:
        return python_scalars.binary(op, x, near)
    if op in ("equal", "not_equal"):
        return constant(op == "not_equal", "bool", Form.PYTHON)
    if near > number:
        return python_scalars.binary("less" if op.startswith("less") else "greater_equal", x, near)
    return python_scalars.binary("less_equal" if op.startswith("less") else "greater", x, near)


_MIRRORED = {
    "less": "greater",
    "less_equal": "greater_equal",
    "greater": "less",
    "greater_equal": "less_equal",
}

_COMPARISONS = {"equal", "not_equal", *_MIRRORED}

_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    np.add.__name__: _add,
    np.subtract.__name__: _subtract,
    np.multiply.__name__: _multiply,
    np.power.__name__: _power,
    np.bitwise_and.__name__: _and,
    np.bitwise_or.__name__: _or,
    np.bitwise_xor.__name__: _xor,
    np.left_shift.__name__: _left_shift,
    np.right_shift.__name__: _right_shift,
    np.remainder.__name__: _remainder,
    np.floor_divide.__name__: _floor_divide,
    np.divide.__name__: _divide,
}
