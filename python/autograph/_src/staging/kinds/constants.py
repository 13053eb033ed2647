"""The few known constants that a variable may equal: `best = 0` before a loop that finds floats.

A variable that is the int 0 or any float fits into one float64 graph value plus a tag that says which it
is, since float64 holds 0 exactly. An unknown int would need a slot of its own: float64 does not hold all
ints.

>>> constants_of(-0.0) == constants_of(0.0)
False
>>> fits(constants_of(2**53 + 1), np.dtype("float64"))
False
"""

from __future__ import annotations

from typing import Any

import numpy as np

Constants = tuple[Any, ...]
"""Bools, ints, and floats as hexadecimal text, so that 0.0 and -0.0 differ and NaN equals itself."""

MOST = 4
"""The most constants that are tracked for a variable; with more it may be any number."""


def constants_of(value: object) -> Constants:
    """A plain number as a set of one constant."""
    number = value.item() if isinstance(value, np.generic) else value
    return (number.hex() if isinstance(number, float) else number,)


def joined(left: Constants | None, right: Constants | None) -> Constants | None:
    """The union of two sets of constants; ``None``, for any number, if it grows too large."""
    if left is None or right is None:
        return None
    both = tuple(sorted({*left, *right}, key=lambda one: (isinstance(one, str), one)))
    return both if len(both) <= MOST else None


def number(constant: Any) -> bool | int | float:
    """The Python number that a constant stands for."""
    return float.fromhex(constant) if isinstance(constant, str) else constant


def fits(constants: Constants, dtype: np.dtype[Any]) -> bool:
    """Whether a dtype holds all of these numbers exactly."""
    return all(_fits(number(one), dtype) for one in constants)


def _fits(value: bool | int | float, dtype: np.dtype[Any]) -> bool:
    if isinstance(value, float):
        if dtype.kind != "f":
            return False
        with np.errstate(over="ignore"):
            held = float(dtype.type(value))
        return held == value or value != value
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        return int(limits.min) <= value <= int(limits.max)
    return dtype.kind == "f" and abs(value) <= 2 ** (int(np.finfo(dtype).nmant) + 1)
