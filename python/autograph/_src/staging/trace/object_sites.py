"""The source places (sites) that make the lists and objects which staged containers hold.

    g = [[] for _ in range(n)]      # `n` is staged: `g` is a list of the graph
    g[i].append(j)                  # and each `[]` has to be a value of the graph

An object that a staged container holds is a row of a table, and a reference to it is the row's number. Two
references to one object have the same number, so a change through one is seen through the other. The object
must be a row from the moment it is made, since other variables may refer to it before it enters the
container. So when a trace meets a plain object in a staged container, it notes the site that made the
object and starts over; this time the site makes a row.

All objects of one site share a table. Two sites share a table if one variable or one container may hold
objects of both. The types of a table's columns are learned in the same way.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any

from autograph._src.load import is_converted_code
from autograph._src.staging.trace.frames import is_internal_file
from autograph._src.staging.trace.record_trees import RecordWord, class_of, is_word_of_dicts, label_of

if TYPE_CHECKING:
    from autograph._src.staging.kinds.value_kind import ValueKind

Site = tuple[tuple[CodeType, int], ...]
"""Where an object is made: the running instructions of the innermost functions, innermost first."""

_DEPTH = 3
"""How many functions of the user a site names: lists that one helper makes for two callers have two sites.

Those of this package that are converted, too, are named beside them: `tangent.copy(x)` makes the object
and the lists in it."""


@dataclass(frozen=True)
class ListKind:
    """The row type of a table of lists.

    Attributes:
        element: The type of the lists' elements; ``None`` until a list with an element was seen.
    """

    element: ValueKind | None


@dataclass(frozen=True)
class RecordKind:
    """The row type of a table of objects or dicts.

    Attributes:
        label: Identifies the class. For a class defined inside a function it is the module and name, since
            each recording makes that class anew.
        names: The attributes or keys, in order.
        types: The types of the attributes or values.
        word: The class of the objects or dicts, and the factory of a `defaultdict`.
    """

    label: object
    names: tuple[Any, ...]
    types: tuple[ValueKind, ...]
    word: RecordWord = field(compare=False)

    @classmethod
    def of(cls, word: RecordWord, names: tuple[Any, ...], types: tuple[ValueKind, ...]) -> RecordKind:
        """The row type for objects or dicts with a word."""
        return cls(label_of(word), names, types, word)

    @property
    def of_class(self) -> type:
        """The class of the objects or dicts."""
        return class_of(self.word)

    def is_of_dicts(self) -> bool:
        """Whether the rows are dicts."""
        return is_word_of_dicts(self.word)


ObjectKind = ListKind | RecordKind


@dataclass
class ObjectSites:
    """What earlier recordings of a function have found out about the objects it makes.

    Attributes:
        has_changed: Whether this recording has found something new and has to start over.
    """

    has_changed: bool = False
    _numbers: dict[Site, int] = field(default_factory=dict)
    _parents: list[int] = field(default_factory=list)
    _kinds: dict[int, ObjectKind] = field(default_factory=dict)

    def number_at(self, site: Site) -> int | None:
        """The table for the objects made at a site; ``None`` if they are not rows."""
        number = self._numbers.get(site)
        return None if number is None else self.find(number)

    def sites_of(self, number: int) -> list[Site]:
        """The sites that make the rows of a table."""
        return [site for site, one in self._numbers.items() if self.find(one) == self.find(number)]

    def find(self, number: int) -> int:
        """The table that a table was merged into, or the table itself."""
        while self._parents[number] != number:
            number = self._parents[number]
        return number

    def kind_of(self, number: int) -> ObjectKind:
        """The row type of a table."""
        return self._kinds[self.find(number)]

    def numbers(self) -> list[int]:
        """All tables that have a row type; a merged table counts once."""
        roots = [number for number, parent in enumerate(self._parents) if number == parent]
        return [number for number in roots if number in self._kinds]

    def learn(self, sites: tuple[Site, ...], kind: ObjectKind, join: Callable[[Any, Any], Any]) -> int:
        """Notes that the objects made at these sites are rows of one table; gives the table.

        Args:
            sites: The sites.
            kind: The row type that was seen.
            join: Gives a row type that holds two others.
        """
        for site in sites:
            self.reserve(site)
        first = self.find(self._numbers[sites[0]])
        for site in sites[1:]:
            first = self.unite(first, self._numbers[site], join)
        return self.widen(first, kind, join)

    def reserve(self, site: Site) -> int:
        """The table for the objects made at a site; a new table has no row type yet."""
        if site not in self._numbers:
            self._numbers[site] = len(self._parents)
            self._parents.append(len(self._parents))
            self.has_changed = True
        return self.find(self._numbers[site])

    def unite(self, one: int, other: int, join: Callable[[Any, Any], Any]) -> int:
        """Merges two tables; gives the merged one."""
        one, other = sorted((self.find(one), self.find(other)))
        if one == other:
            return one
        # Merge before joining the row types: their fields may refer to these tables again.
        self._parents[other] = one
        self.has_changed = True
        kind = self._kinds.get(other)
        return one if kind is None else self.widen(one, kind, join)

    def widen(self, number: int, kind: ObjectKind, join: Callable[[Any, Any], Any]) -> int:
        """Widens the row type of a table so that it holds this one too."""
        number = self.find(number)
        known = self._kinds.get(number)
        joined = kind if known is None else join(known, kind)
        number = self.find(number)
        self.has_changed = self.has_changed or joined != self._kinds.get(number)
        self._kinds[number] = joined
        return number


def site_here() -> Site:
    """The site that is running now."""
    frame: FrameType | None = sys._getframe(1)
    found: list[tuple[CodeType, int]] = []
    of_user = 0
    while frame is not None and of_user < _DEPTH:
        code = frame.f_code
        is_ours = is_internal_file(code.co_filename)
        if not is_ours or is_converted_code(code):
            found.append((code, frame.f_lasti))
            of_user += not is_ours
        frame = frame.f_back
    return tuple(found)
