"""``round(x, n)`` of staged Python numbers: CPython's decimal rounding, to the bit.

    round(2.675, 2)      # 2.67: the float is below 2.675, and CPython looks at all its digits

CPython writes out the digits of a float and reads them again. The algorithms here find the same number from
the scaled float and what its rounding loses, which two floats hold exactly (Dekker, "A floating-point
technique for extending the available precision", 1971). They are Python, which is converted.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from autograph._src.operators.calls import converted_call
from autograph._src.policy import request_own
from autograph._src.staging.tensors.python_scalars import to_int
from autograph._src.staging.tensors.tensor import Tensor
from autograph._src.staging.trace.active import staging_error

_MOST_DIGITS = 22
"""The largest power of ten that a float holds exactly."""
_MOST_TENS = 18
"""The largest power of ten that an int of 64 bits holds."""
_TOO_LARGE = 2.0**53
"""From here on a float has no digit behind the place that is rounded to."""
_SPLITTER = 134217729.0
"""``2**27 + 1``: parts a float into two of half as many digits."""


def _lost(one: float, other: float, product: float) -> float:
    """What the rounding of a product loses."""
    scaled = one * _SPLITTER
    high = scaled - (scaled - one)
    low = one - high
    scaled = other * _SPLITTER
    other_high = scaled - (scaled - other)
    other_low = other - other_high
    return low * other_low - (((product - high * other_high) - low * other_high) - high * other_low)


def _to_decimals(x: float, scale: float) -> float:
    product = x * scale
    if not abs(product) < _TOO_LARGE:
        return x
    whole = float(np.rint(product))
    rest, lost = product - whole, _lost(x, scale, product)
    # A tie of the rounded product may be none, and from 2**52 on one that is none may be a tie.
    if rest == 0.5 and lost > 0.0:
        whole += 1.0
    elif rest == -0.5 and lost < 0.0:
        whole -= 1.0
    elif abs(lost) == 0.5 and whole % 2.0 == 1.0:
        whole += 2.0 * lost
    return whole / scale


def _to_tens(x: float, scale: float) -> float:
    quotient = x / scale
    if not abs(quotient) < _TOO_LARGE:
        return x
    whole = float(np.rint(quotient))
    product = whole * scale
    rest, half = (x - product) - _lost(whole, scale, product), scale / 2.0
    if rest > half or (rest == half and whole % 2.0 == 1.0):
        whole += 1.0
    elif rest < -half or (rest == -half and whole % 2.0 == 1.0):
        whole -= 1.0
    return whole * scale


def _int_to_tens(n: int, scale: int) -> int:
    whole, rest = n // scale, n % scale
    if 2 * rest > scale or (2 * rest == scale and whole % 2 == 1):
        whole += 1
    return whole * scale


for _algorithm in (_lost, _to_decimals, _to_tens, _int_to_tens):
    request_own(_algorithm)


def known_digits(ndigits: Any) -> int:
    """The digits that ``round`` is given; refuses staged ones; what is no int raises CPython's error."""
    if isinstance(ndigits, Tensor):
        raise staging_error(
            "AG120",
            "`round` to a staged number of digits is not supported",
            "give the digits as a constant, or name the argument in `static=`",
        )
    return operator.index(ndigits)


def rounded(number: Tensor, ndigits: Any) -> object:
    """``round(number, ndigits)`` of a staged Python float or int."""
    digits, is_float = known_digits(ndigits), number.dtype.kind == "f"
    if not is_float and digits >= 0:
        return to_int(number)
    most = _MOST_DIGITS if is_float else _MOST_TENS
    if abs(digits) > most:
        raise staging_error(
            "AG120",
            f"`round` of a staged {'float' if is_float else 'int'} to {digits} digits is not supported",
            f"round to between {-most} and {most} digits",
        )
    if not is_float:
        return converted_call(_int_to_tens, number, 10**-digits)
    algorithm = _to_decimals if digits >= 0 else _to_tens
    return converted_call(algorithm, number, 10.0 ** abs(digits))
