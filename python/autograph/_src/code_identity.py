"""A mapping from code objects by identity, which does not keep them alive.

Code objects compare equal when their names, first lines and instructions do. Two equal ones may come from
different files, so a dict would take a fact about one for a fact about the other.
"""

from __future__ import annotations

from types import CodeType
from typing import Generic, TypeVar
from weakref import ref

V = TypeVar("V")


class CodeMap(Generic[V]):
    """A weak dict from code objects, by identity, to facts about them."""

    def __init__(self) -> None:
        self._entries: dict[int, tuple[ref[CodeType], V]] = {}

    def get(self, code: CodeType) -> V | None:
        """The value of a code object, or ``None``."""
        entry = self._entries.get(id(code))
        return None if entry is None else entry[1]

    def set(self, code: CodeType, value: V) -> V:
        """Stores the value of a code object for as long as that lives; returns the value."""
        key = id(code)

        def forget(_: ref[CodeType]) -> None:
            self._entries.pop(key, None)

        self._entries[key] = (ref(code, forget), value)
        return value

    def clear(self) -> None:
        """Forgets everything."""
        self._entries.clear()
