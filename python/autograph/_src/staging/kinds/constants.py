"""Numbers that a variable is known to be one of: `best = 0` before a loop that finds floats.

A variable that is the int 0 or a float needs one value of the graph, and which of the two it is: 0 is
0.0 there. Of an int that is not known that cannot be said, as a float does not hold all ints.

>>> constants_of(-0.0) == constants_of(0.0)
False
>>> fits(constants_of(2**53 + 1), np.dtype("float64"))
False
"""

from __future__ import annotations

from typing import Any

import numpy as np

Constants = tuple[Any, ...]
"""Bools, ints, and floats as hexadecimal text, which tells zeros apart and NaN from nothing."""

MOST = 4
"""A variable that may be more numbers than these may be any."""


def constants_of(value: object) -> Constants:
    """The one constant that a plain number is."""
    number = value.item() if isinstance(value, np.generic) else value
    return (number.hex() if isinstance(number, float) else number,)


def joined(left: Constants | None, right: Constants | None) -> Constants | None:
    """What is one of either."""
    if left is None or right is None:
        return None
    both = tuple(sorted({*left, *right}, key=lambda one: (isinstance(one, str), one)))
    return both if len(both) <= MOST else None


def number(constant: Any) -> bool | int | float:
    """The Python number of a constant."""
    return float.fromhex(constant) if isinstance(constant, str) else constant


def fits(constants: Constants, dtype: np.dtype[Any]) -> bool:
    """Whether values of a dtype hold all of these numbers to the bit."""
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
