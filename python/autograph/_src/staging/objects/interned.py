"""Strings and members of enumerations in fields: a graph has the number of each.

    op: "+", "x", "*"     →     0, 1, 2           `node.op == "+"` is a comparison of numbers

A value keeps its number, so that a graph is for all values that come later.
"""

from __future__ import annotations

import enum
import threading
from typing import Any


class Interned:
    """The values that fields of one staged function have, and their numbers.

    >>> values = Interned()
    >>> [values.number(one) for one in ("+", None, "+")], values.value(1)
    ([0, 1, 0], None)
    """

    def __init__(self) -> None:
        self._numbers: dict[tuple[type, Any], int] = {}
        self._values: list[Any] = []
        self._lock = threading.Lock()

    def number(self, value: object) -> int:
        """The number of a value."""
        key = (type(value), value)
        known = self._numbers.get(key)
        if known is None:
            with self._lock:
                if key not in self._numbers:
                    self._values.append(value)
                    self._numbers[key] = len(self._values) - 1
                known = self._numbers[key]
        return known

    def value(self, number: int) -> Any:
        """The value of a number."""
        return self._values[number]


def has_number(value: object) -> bool:
    """Whether a value may have a number: it is equal to itself alone.

    >>> [has_number(one) for one in ("text", None, 1, ("a",))]
    [True, True, False, False]
    """
    kind = type(value)
    if kind in (str, bytes, type(None)):
        return True
    # Members of an `IntEnum` or a `StrEnum` are equal to numbers and strings as well.
    return (
        isinstance(value, enum.Enum)
        and not any(issubclass(kind, other) for other in (int, float, str, bytes, tuple))
        and not any("__eq__" in base.__dict__ for base in kind.__mro__[:-1])
    )
