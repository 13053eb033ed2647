"""Tables of the graph: the lists and objects of the program that staged containers hold, a row each.

    rows.append([i, i + 1])     # a new row of a table of lists; `rows` holds its number
    rows[-1].append(0)          # the list at that row is longer
    rows[0] is rows[-1]         # whether the numbers are equal

The contents of a table are a place of the journal, as those of a list are: branches join them, loops
carry them. A table exists before all blocks. Rows are never taken away: a run gives the memory of all
back when it ends. See :mod:`autograph._src.staging.trace.object_sites` for how a program's objects come here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from typing import Any

import numpy as np

from autograph._src.operators.places import Contents
from autograph._src.staging.kinds.leaf_kind import LeafKind, join
from autograph._src.staging.kinds.leaf_type import NOTHING_YET, LeafType
from autograph._src.staging.kinds.tuple_of import TupleOf
from autograph._src.staging.lists.list_contents import StagedElements, checked_element, empty
from autograph._src.staging.lists.list_lengths import Length, unknown
from autograph._src.staging.lists.list_of import ListOf
from autograph._src.staging.tensors.memory import Memory
from autograph._src.staging.tensors.tensor import Kind, Tensor, emit, wrap
from autograph._src.staging.trace.active import require_trace, staging_error
from autograph._src.staging.trace.object_sites import ListKind, ObjectKind, ObjectSites, RecordKind, Site
from autograph._src.staging.trace.restarts import begin_again_with_objects
from autograph._src.staging.trace.signals import UnknownResult
from autograph._src.staging.trace.trace import Trace

_OPEN: Length = unknown()
"""The length of all tables: nobody asks for it while tracing, and so it is the same everywhere."""


_MARK = LeafType(np.dtype("bool"), (), Kind.PYTHON)
"""What rows have that have nothing else."""


class ObjectTable:
    """A table.

    Attributes:
        number: Its number among those of the trace.
        kind: What its rows are.
        contents: One list of the graph for each leaf of a row.
        memory: What tells whether it was written since.
        has_class: Whether its class is one of this recording.
        length_changes: How often one of its rows became longer or shorter.
    """

    def __init__(self, number: int, kind: ObjectKind) -> None:
        self.number = number
        self.kind = kind
        self.memory = Memory(0)
        self.length_changes = 0
        self.has_class = False
        self.contents = replace(empty(self.row_type(), self.called()), length=_OPEN)

    def row_type(self) -> LeafKind:
        """The type of a row: of what is always the same in all, there is a mark."""
        if isinstance(self.kind, ListKind):
            return ListOf(self.element, None, self.called())
        fields = TupleOf(tuple, self.kind.types)
        return fields if fields.graph_types() else TupleOf(tuple, (_MARK, *self.kind.types))

    @property
    def element(self) -> LeafKind:
        """The type of the elements of its lists."""
        assert isinstance(self.kind, ListKind)
        return NOTHING_YET if self.kind.element is None else self.kind.element

    def called(self) -> str:
        """What messages call what is in it."""
        if isinstance(self.kind, ListKind):
            return "a list in a list"
        return f"a {self.kind.kind.__name__} in a list"

    # What the journal reads and writes

    def read_contents(self, name: str) -> StagedElements:
        """All rows, as a value."""
        return self.contents

    def write_contents(self, value: StagedElements) -> None:
        """Has it hold other rows."""
        self.contents = replace(value, length=_OPEN)

    def adopt(self, kind: type) -> None:
        """Takes the class of a new row, which an earlier recording had as another.

        Raises:
            StagingError: If it has rows of another class.
        """
        assert isinstance(self.kind, RecordKind)
        if self.kind.kind is not kind and self.has_class:
            raise staging_error(
                "AG131",
                f"objects of two classes `{kind.__name__}` are in one staged list, or bound to one variable"
                " by a staged statement",
                "make the class once, outside of the function",
            )
        self.kind = replace(self.kind, kind=kind)
        self.has_class = True

    def values(self) -> tuple[int, ...]:
        """The lists of the graph."""
        return self.contents.read()

    def become(self, values: Sequence[int], memories: list[Memory] | None = None) -> None:
        """Changes what it holds.

        Args:
            values: The new lists of the graph.
            memories: Memories that arrays in them may refer to, besides those known.
        """
        place = Contents(self)
        place.name = self.called()
        require_trace().journal.will_write(place)
        self.contents = replace(self.contents, values=tuple(values)).with_memories(memories or [])

    def added(self, leaves: Sequence[int], memories: list[Memory]) -> Tensor:
        """A new row."""
        values = self.values()
        row = wrap(emit("list_length", values[0]), Kind.PYTHON)
        pairs = zip(values, leaves, strict=True)
        self.become([emit("list_append", *pair) for pair in pairs], memories)
        return row

    def require_elements_known(self) -> None:
        """Leaves a block that reads an element of lists of which none has any yet.

        What comes behind the read never runs, unless elements are put in elsewhere, and then the recording
        begins again.

        Raises:
            UnknownResult: If it is in a block.
            RuntimeError: If there is no block to leave; before it, the run fails.
        """
        if not isinstance(self.kind, ListKind) or self.kind.element is not None:
            return
        if require_trace().journal.blocks:
            raise UnknownResult(frozenset())
        raise RuntimeError("an element of a list that has none")


class Objects:
    """The tables of a trace.

    Attributes:
        sites: What is known of the places where objects are made.
        tables: The tables by their numbers.
        looked_at: The objects whose fields are being looked at, to learn of them, by identity.
    """

    def __init__(self, sites: ObjectSites) -> None:
        self.sites = sites
        sites.has_changed = False
        self.tables: dict[int, ObjectTable] = {}
        self.looked_at: set[int] = set()
        self._made: dict[int, tuple[Any, Site, bool]] = {}

    def open(self, trace: Trace) -> None:
        """Makes the tables, before the function runs."""
        for number in self.sites.numbers():
            kind = self.sites.kind_of(number)
            table = self.tables[number] = ObjectTable(number, _canonical_kind(kind, self.sites))
            trace.journal.existed(table)

    def note_made(self, value: object, site: Site, is_referred_to: bool) -> None:
        """Remembers where an object was made."""
        self._made[id(value)] = (value, site, is_referred_to)

    def site_of(self, value: object) -> Site | None:
        """Where an object was made, if it was noted.

        Raises:
            StagingError: If its ``__init__`` has put it somewhere: it cannot become a row afterwards.
        """
        found = self._made.get(id(value))
        if found is None:
            return None
        if found[2]:
            name = type(value).__name__
            raise staging_error(
                "AG121",
                f"a staged list holds {_article(name)} {name}, or a staged statement decides which:"
                " its `__init__` puts it somewhere before it is made",
                f"do that after `{name}(…)`",
            )
        return found[1]

    def table_at(self, site: Site) -> ObjectTable | None:
        """The table for what is made at a place."""
        if not self.tables:
            return None
        number = self.sites.number_at(site)
        return None if number is None else self.tables.get(number)


def table_of(number: int) -> ObjectTable:
    """A table of the present trace."""
    return require_trace().objects.tables[number]


def _canonical_kind(kind: ObjectKind, sites: ObjectSites) -> ObjectKind:
    if isinstance(kind, ListKind):
        return ListKind(None if kind.element is None else kind.element.with_tables_of(sites))
    return replace(kind, types=tuple(one.with_tables_of(sites) for one in kind.types))


# Learning


def joined_kinds(left: ObjectKind, right: ObjectKind) -> ObjectKind:
    """What holds objects of both kinds.

    Raises:
        StagingError: If nothing does.
    """
    words = ("in one object", "in another")
    if isinstance(left, ListKind) and isinstance(right, ListKind):
        known = [one.element for one in (left, right) if one.element is not None]
        if len(known) < 2:
            return ListKind(known[0] if known else None)
        return ListKind(join("the list[…]", known[0], known[1], words))
    if isinstance(left, RecordKind) and isinstance(right, RecordKind) and left.label == right.label:
        if left.names == right.names:
            pairs = zip(left.names, left.types, right.types, strict=True)
            return replace(right, types=tuple(join(_field(left, n), a, b, words) for n, a, b in pairs))
        what = f"{left.kind.__name__}s with {_listed(left.names)} and with {_listed(right.names)}"
    else:
        what = " and ".join(f"{_article(one)} {one}" for one in map(_kind_name, (left, right)))
    raise staging_error(
        "AG131",
        f"{what} are in one staged list, or bound to one variable by a staged statement",
        "keep objects of one class, with the same attributes or keys",
    )


def _field(kind: RecordKind, name: object) -> str:
    return f"{kind.kind.__name__}[{name!r}]" if kind.kind is dict else f"{kind.kind.__name__}.{name}"


def _kind_name(kind: ObjectKind) -> str:
    return "list" if isinstance(kind, ListKind) else kind.kind.__name__


def _article(name: str) -> str:
    return "an" if name[:1] in "AEIOUaeiou" else "a"


def _listed(names: tuple[Any, ...]) -> str:
    return ", ".join(str(name) for name in names) or "nothing"


def element_of(parts: list[LeafKind]) -> LeafKind | None:
    """The type of all elements; ``None`` where there are none."""
    words = ("in one element", "in another")
    return reduce(lambda one, other: join("the list[…]", one, other, words), parts) if parts else None


def fitted(table: ObjectTable, element: LeafKind) -> None:
    """Sees to it that the lists of a table hold elements of a type.

    Raises:
        Learned: If they did not until now.
    """
    if element is NOTHING_YET:
        return
    checked_element(element, table.called())
    if element == table.element and isinstance(table.kind, ListKind) and table.kind.element is not None:
        return
    require_trace().objects.sites.widen(table.number, ListKind(element), joined_kinds)
    begin_again_with_objects()
