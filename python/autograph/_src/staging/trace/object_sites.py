"""Where a program makes the lists and objects that staged containers hold, as far as it is known.

    g = [[] for _ in range(n)]      # `n` is staged: `g` is a list of the graph
    g[i].append(j)                  # and each `[]` has to be a value of the graph

An object that a staged container holds is a row of a table, and what refers to it is the number of the
row: two references to one object are one number, so a change through one is seen through all. It has to
be a row from its beginning, since others may refer to it before it comes into the container. So a trace
that meets an object in a staged container notes where the program made it, and begins again; what is
made there then is a row at once.

Objects made at one place are in one table, as are those of two places that one variable or one container
may hold. What the rows of a table hold is learned in the same way.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any

from autograph._src.staging.trace.frames import is_internal_file

if TYPE_CHECKING:
    from autograph._src.staging.kinds.leaf_kind import LeafKind

Site = tuple[tuple[CodeType, int], ...]
"""Where an object is made: instructions of the innermost functions of the program."""

_DEPTH = 3
"""How many functions tell a place from others: a helper that makes lists makes them for its callers."""


@dataclass(frozen=True)
class ListKind:
    """What a table holds whose rows are lists.

    Attributes:
        element: The type of their elements; ``None`` while none of them was seen to have any.
    """

    element: LeafKind | None


@dataclass(frozen=True)
class RecordKind:
    """What a table holds whose rows are objects or dicts.

    Attributes:
        label: Their class, or what tells it from others: a class of a function is another in each recording.
        names: The attributes or keys, in order.
        types: Their types.
        kind: Their class; of dicts, ``dict``.
    """

    label: object
    names: tuple[Any, ...]
    types: tuple[LeafKind, ...]
    kind: type = field(compare=False)

    @classmethod
    def of(cls, kind: type, names: tuple[Any, ...], types: tuple[LeafKind, ...]) -> RecordKind:
        """What objects of a class are."""
        is_local = "<locals>" in kind.__qualname__
        label = (kind.__module__, kind.__qualname__) if is_local else kind
        return cls(label, names, types, kind)


ObjectKind = ListKind | RecordKind


@dataclass
class ObjectSites:
    """What earlier recordings of a function have found out of the objects it makes.

    Attributes:
        has_changed: Whether this recording has found something, so that it has to begin again.
        beginnings: How often a recording has begun again.
    """

    has_changed: bool = False
    beginnings: int = 0
    _numbers: dict[Site, int] = field(default_factory=dict)
    _parents: list[int] = field(default_factory=list)
    _kinds: dict[int, ObjectKind] = field(default_factory=dict)

    def number_at(self, site: Site) -> int | None:
        """The table for what is made at a place, if it is to be rows."""
        number = self._numbers.get(site)
        return None if number is None else self.find(number)

    def find(self, number: int) -> int:
        """The table that a table has become a part of."""
        while self._parents[number] != number:
            number = self._parents[number]
        return number

    def kind_of(self, number: int) -> ObjectKind:
        """What the rows of a table are."""
        return self._kinds[self.find(number)]

    def numbers(self) -> list[int]:
        """All tables."""
        roots = [number for number, parent in enumerate(self._parents) if number == parent]
        return [number for number in roots if number in self._kinds]

    def learn(self, sites: tuple[Site, ...], kind: ObjectKind, join: Callable[[Any, Any], Any]) -> int:
        """Notes that what is made at these places is rows of one table.

        Args:
            sites: The places.
            kind: What is made there.
            join: Gives what holds two kinds.
        """
        for site in sites:
            self.reserve(site)
        first = self.find(self._numbers[sites[0]])
        for site in sites[1:]:
            first = self.unite(first, self._numbers[site], join)
        return self.widen(first, kind, join)

    def reserve(self, site: Site) -> int:
        """The table for what is made at a place, of which it is not known yet what that is."""
        if site not in self._numbers:
            self._numbers[site] = len(self._parents)
            self._parents.append(len(self._parents))
            self.has_changed = True
        return self.find(self._numbers[site])

    def unite(self, one: int, other: int, join: Callable[[Any, Any], Any]) -> int:
        """Makes two tables one."""
        one, other = sorted((self.find(one), self.find(other)))
        if one == other:
            return one
        # They are one before their fields are looked at, which may refer to them again.
        self._parents[other] = one
        self.has_changed = True
        kind = self._kinds.get(other)
        return one if kind is None else self.widen(one, kind, join)

    def widen(self, number: int, kind: ObjectKind, join: Callable[[Any, Any], Any]) -> int:
        """Has the rows of a table hold what this kind does too."""
        number = self.find(number)
        known = self._kinds.get(number)
        joined = kind if known is None else join(known, kind)
        number = self.find(number)
        self.has_changed = self.has_changed or joined != self._kinds.get(number)
        self._kinds[number] = joined
        return number


def site_here() -> Site:
    """The place in the program that is running now."""
    frame: FrameType | None = sys._getframe(1)
    found: list[tuple[CodeType, int]] = []
    while frame is not None and len(found) < _DEPTH:
        if not is_internal_file(frame.f_code.co_filename):
            found.append((frame.f_code, frame.f_lasti))
        frame = frame.f_back
    return tuple(found)
