"""Numbers strings and members of enumerations in fields, so that a graph can compare them.

    op: "+", "x", "*"     →     0, 1, 2           `node.op == "+"` is a comparison of numbers

A value keeps its number across calls, so that a graph stays valid when later calls bring new values.
"""

from __future__ import annotations

import enum
import threading
from typing import Any


class Interned:
    """The strings and enumeration members in the fields of one staged function, with their numbers.

    >>> values = Interned()
    >>> [values.number(one) for one in ("+", None, "+")], values.value(1)
    ([0, 1, 0], None)
    """

    def __init__(self) -> None:
        self._numbers: dict[tuple[type, Any], int] = {}
        self._values: list[Any] = []
        self._lock = threading.Lock()

    def number(self, value: object) -> int:
        """The number of a value; a new value gets the next number."""
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
        """The value with this number."""
        return self._values[number]


def has_number(value: object) -> bool:
    """Whether a value can be numbered: it is a string, bytes, ``None`` or a member of a plain enumeration.

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
