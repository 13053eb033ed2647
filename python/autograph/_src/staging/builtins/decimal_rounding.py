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
from numpy.typing import NDArray

from autograph._src.operators.calls import converted_call
from autograph._src.policy import request_own
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.python_scalars import to_int
from autograph._src.staging.tensors.tensor import Form, Tensor, wrap
from autograph._src.staging.trace.active import require_trace, staging_error
from autograph._src.staging.trace.sites import Site, words_of_call

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
    is_float = number.dtype.kind == "f"
    if is_float and isinstance(ndigits, Tensor) and ndigits.dtype.kind in "iu" and not ndigits.sizes:
        return _asked(number, ndigits)
    digits = known_digits(ndigits)
    if not is_float and digits >= 0:
        return to_int(number)
    if abs(digits) > (_MOST_DIGITS if is_float else _MOST_TENS):
        if is_float:
            return _asked(number, lift(digits))
        raise staging_error(
            "AG120",
            f"`round` of a staged int to {digits} digits is not supported",
            f"round to between {-_MOST_TENS} and {_MOST_TENS} digits",
        )
    if not is_float:
        return converted_call(_int_to_tens, number, 10**-digits)
    algorithm = _to_decimals if digits >= 0 else _to_tens
    return converted_call(algorithm, number, 10.0 ** abs(digits))


def _asked(number: Tensor, ndigits: Tensor) -> Tensor:
    """``round(number, ndigits)`` of a Python float, by CPython: the run asks it."""

    def run(arrays: list[NDArray[Any]]) -> list[NDArray[Any]]:
        return [np.array([round(arrays[0].item(), arrays[1].item())])]

    trace = require_trace()
    trace.may_raise("OverflowError")
    trace.sites.append(Site(run, words_of_call("round", ["{0}", "{1}"])))
    operands = [number.read(), ndigits.read()]
    (value,) = trace.locate().callback(len(trace.sites) - 1, operands, [("float64", [])])
    return wrap(value, Form.PYTHON)
