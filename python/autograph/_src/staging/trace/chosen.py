"""Numbers for the constants that a program chooses among: the codes that stand for them in a graph.

    status = "converged" if error < tol else "failed"       # 0 or 1

A constant keeps its number in all recordings of a function, since what they find out (the kinds of fields,
for instance) goes on to the next.
"""

from __future__ import annotations

from types import MethodType
from typing import Any

import numpy as np


class Chosen:
    """The constants, and what else a choice tells apart, with their numbers.

    >>> chosen = Chosen()
    >>> [chosen.number(one) for one in ("a", b"a", None, "a", len, np.str_("a"), np.str_("a"))]
    [0, 1, 2, 0, 3, 4, 4]
    """

    def __init__(self) -> None:
        self._numbers: dict[tuple[type, Any], int] = {}
        self._kept: list[Any] = []

    def number(self, value: object) -> int:
        """The number of a constant: one for equal texts, ints and methods, one for each other object."""
        kind = type(value)
        known: object = value if kind in (str, bytes, int, tuple) else id(value)
        if isinstance(value, np.generic):  # Each `names[i]` is a new object.
            known = value.dtype, value.tobytes()
        if isinstance(value, MethodType):  # Each `owner.step` is a new object.
            known = id(value.__func__), id(value.__self__)
        key = (kind, known)
        if key not in self._numbers:
            self._numbers[key] = len(self._numbers)
            self._kept.append(value)  # So that its `id` stays its own.
        return self._numbers[key]
