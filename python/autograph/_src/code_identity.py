"""A mapping from code objects by identity, which does not keep them alive.

Code objects are equal when their names, first lines and instructions are; two equal ones may come
from different files, and what is known of one does not hold for the other.
"""

from __future__ import annotations

from types import CodeType
from typing import Generic, TypeVar
from weakref import ref

V = TypeVar("V")


class CodeMap(Generic[V]):
    """By code object: something that was found out about it."""

    def __init__(self) -> None:
        self._entries: dict[int, tuple[ref[CodeType], V]] = {}

    def get(self, code: CodeType) -> V | None:
        """What is known of a code object."""
        entry = self._entries.get(id(code))
        return None if entry is None else entry[1]

    def set(self, code: CodeType, value: V) -> V:
        """Remembers something of a code object for as long as it lives; gives it back."""
        key = id(code)

        def forget(_: ref[CodeType]) -> None:
            self._entries.pop(key, None)

        self._entries[key] = (ref(code, forget), value)
        return value

    def clear(self) -> None:
        """Forgets everything."""
        self._entries.clear()
