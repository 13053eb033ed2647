"""The tree that a staged function returns: made anew by each call, one object where the program has one.

    row = [x * 2]
    return row, {"first": row}, LIMITS, x      a new list, twice the same; what was there before; the argument

- What the program made while it was recorded is made again by each call: lists, dicts, tuples, dataclasses.
- What was there before, such as a list in a global variable or an argument, is given itself.
- Of some objects nobody knows: code that is not converted gave them. Then the function is recorded again: an
  object that comes again was there before, or is kept by the program. Another one is of the call.
"""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import fractions
import re
from collections.abc import Callable
from pathlib import PurePath
from types import BuiltinFunctionType, ModuleType
from typing import Any

import numpy as np

from autograph.backends.protocol import backend_of
from autograph.errors import Location, StagingError
from autograph.records.classes import is_named_tuple
from autograph.records.given import Given
from autograph.staging.list_identity import Choice
from autograph.staging.references import is_reference
from autograph.staging.trace import Restart, Trace
from autograph.staging.traced_list import StagedList, TracedList

Build = Callable[[list[Any], list[Any]], Any]
"""Makes a part of the tree of the values of the leaves; the second list is of what was made so far."""

_UNCHANGING = (
    *(str, bytes, int, float, complex, type(None), range, slice, type(...), type(NotImplemented), type),
    *(np.generic, np.dtype, np.ufunc, ModuleType, BuiltinFunctionType, frozenset, enum.Enum, re.Pattern),
    *(fractions.Fraction, decimal.Decimal, datetime.date, datetime.time, datetime.timedelta, datetime.tzinfo),
    PurePath,
)
"""Types of what nobody can change: whether it is one object does not matter."""


def is_unchanging(value: Any) -> bool:
    """Whether nobody can change a value, so that it does not matter whether it is one object."""
    return isinstance(value, _UNCHANGING)


class ResultTree:
    """A result without its leaves.

    Attributes:
        leaves: The leaves, each object once.
        is_leaf: Whether it is one leaf.
        is_flat_tuple: Whether it is a tuple of leaves, each another.
    """

    def __init__(self, trace: Trace, result: Any, where: Location | None) -> None:
        self._trace = trace
        self._where = where
        self.leaves: list[Any] = []
        # By identity; the objects are kept, so that identities stay theirs.
        self._known: dict[int, tuple[Any, Build]] = {}
        self._count = 0
        self._lists: list[TracedList] = []
        self._unknown: list[Any] = []
        self._build = self._part(result)
        self.is_leaf = not self._count and bool(self.leaves)
        is_tuple = type(result) is tuple and id(result) not in trace.given
        self.is_flat_tuple = is_tuple and self._count == 1 and len(self.leaves) == len(result)
        self._look_again()
        self._require_known_lists()

    def build(self, values: list[Any]) -> Any:
        """The result of the values of its leaves."""
        return self._build(values, [None] * self._count)

    def is_made(self, value: Any) -> bool:
        """Whether a plain object, a leaf, is made by the call; else it was there before."""
        return not self._was_there(value) and not any(value is one for one in self._came_again())

    def _came_again(self) -> list[Any]:
        return self._trace.learned.returned or []

    def _part(self, value: Any) -> Build:
        known = self._known.get(id(value))
        if known is not None:
            return known[1]
        given = self._trace.given.get(id(value))
        if given is not None:
            return self._leaf(value, Given(given[1]))
        kind = value.__class__ if isinstance(value, TracedList) else type(value)
        is_container = kind in (list, dict) or (
            dataclasses.is_dataclass(kind) and not isinstance(value, type) and not is_reference(value)
        )
        if isinstance(value, TracedList) and not is_reference(value):
            if value.choice is not None:
                return self._one_of(value.choice)
            self._lists.append(value)
        if isinstance(value, StagedList) or is_reference(value) or backend_of(value) is not None:
            return self._leaf(value, value)
        if is_container and self._is_there(value):
            return self._leaf(value, value)
        if kind is list:
            if isinstance(value, TracedList):
                value.require_current()
            return self._list(value)
        if kind is dict:
            return self._dict(value)
        if kind is tuple or is_named_tuple(kind):
            return self._tuple(value)
        return self._record(value) if is_container else self._leaf(value, value)

    def _leaf(self, value: Any, leaf: Any) -> Build:
        position = len(self.leaves)
        self.leaves.append(leaf)
        if isinstance(value, (np.ndarray, set, bytearray)) or not isinstance(value, _UNCHANGING):
            self._note(value)

        def build(values: list[Any], made: list[Any]) -> Any:
            return values[position]

        if isinstance(value, _UNCHANGING) and backend_of(value) is None:
            return build  # `1` is no object that is shared.
        self._known[id(value)] = value, build
        return build

    def _place(self, value: Any) -> int:
        """A place for an object among those that are made; from now on it is found there."""
        place = self._count
        self._count += 1
        self._known[id(value)] = value, lambda values, made: made[place]
        return place

    def _list(self, value: Any) -> Build:
        place = self._place(value)
        parts = [self._part(one) for one in list.copy(value)]

        def build(values: list[Any], made: list[Any]) -> list[Any]:
            new: list[Any] = []
            made[place] = new  # Before its elements, of which it may be one.
            new.extend(part(values, made) for part in parts)
            return new

        return build

    def _one_of(self, choice: Choice) -> Build:
        """One of several lists from before the call."""
        self._count += 1  # So that it is no single leaf, nor is a tuple of it flat.
        which = self._leaf(choice.place, choice.place)
        ways = [self._part(one) for one in choice.lists]
        return lambda values, made: ways[int(which(values, made))](values, made)

    def _dict(self, value: dict[Any, Any]) -> Build:
        place = self._place(value)
        parts = [(key, self._part(one)) for key, one in value.items()]

        def build(values: list[Any], made: list[Any]) -> dict[Any, Any]:
            new: dict[Any, Any] = {}
            made[place] = new
            new.update((key, part(values, made)) for key, part in parts)
            return new

        return build

    def _record(self, value: Any) -> Build:
        place, kind = self._place(value), type(value)
        names = dict.fromkeys(field.name for field in dataclasses.fields(kind))
        names.update(dict.fromkeys(getattr(value, "__dict__", {})))
        parts = [(name, self._part(getattr(value, name))) for name in names if hasattr(value, name)]

        def build(values: list[Any], made: list[Any]) -> Any:
            made[place] = new = object.__new__(kind)
            for name, part in parts:
                object.__setattr__(new, name, part(values, made))
            return new

        return build

    def _tuple(self, value: tuple[Any, ...]) -> Build:
        place, kind = self._place(value), type(value)
        self._known[id(value)] = value, self._refuse_cycle
        parts = [self._part(one) for one in value]
        self._known[id(value)] = value, lambda values, made: made[place]

        def build(values: list[Any], made: list[Any]) -> Any:
            elements = [part(values, made) for part in parts]
            made[place] = new = tuple(elements) if kind is tuple else kind(*elements)
            return new

        return build

    def _refuse_cycle(self, values: list[Any], made: list[Any]) -> Any:
        raise StagingError(
            "a tuple that holds itself is returned",
            code="AG120",
            location=self._where,
            help="return its parts",
        )

    # What was there before

    def _was_there(self, value: Any) -> bool:
        return id(value) in self._trace.surroundings.watch.seen and not self._trace.journal.was_created(value)

    def _is_there(self, value: Any) -> bool:
        """Whether a container was there before the call; notes it where nobody knows."""
        if self._was_there(value):
            return True
        if isinstance(value, TracedList) or self._trace.journal.was_created(value):
            return False
        self._unknown.append(value)
        return any(value is one for one in self._came_again())

    def _require_known_lists(self) -> None:
        """Refuses lists of which only the run knows whether they are one: the result would hold two."""
        for one in self._lists:
            memories = [memory for memory, _ in one.shared]
            for other in self._lists:
                others = (other.memory, *(memory for memory, _ in other.shared))
                if other is not one and any(memory is known for memory in memories for known in others):
                    one.become_row()
                    raise StagingError(
                        f"whether `{one.called()}` is `{other.called()}` in the result depends on the run",
                        code="AG120",
                        location=self._where,
                        help=f"return a list of its own: `list({one.called()})`",
                    )

    def _note(self, value: Any) -> None:
        """Notes a leaf of which nobody knows whether it was there before."""
        is_staged = backend_of(value) is not None or is_reference(value)
        if not is_staged and not self._was_there(value) and not self._trace.journal.was_created(value):
            self._unknown.append(value)

    def _look_again(self) -> None:
        """Has the function be recorded again if it is not known where what it gives comes from."""
        if self._unknown and self._trace.learned.returned is None:
            self._trace.learned.returned = self._unknown
            raise Restart
