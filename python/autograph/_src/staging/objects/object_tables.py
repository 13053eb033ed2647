"""Tables of the graph: each row is a list or object of the program that a staged container holds.

    rows.append([i, i + 1])     # adds a row to a table of lists; `rows` holds its number
    rows[-1].append(0)          # the list at that row is longer
    rows[0] is rows[-1]         # whether the numbers are equal

The journal treats the contents of a table like those of a list: branches join them, loops carry them. Tables
exist before all blocks. A run never removes rows; it frees them all when it ends.
:mod:`autograph._src.staging.trace.object_sites` explains which objects become rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np

from autograph._src.articles import with_article
from autograph._src.operators.places import Contents
from autograph._src.staging.kinds.tensor_of import NOTHING_YET, TensorOf
from autograph._src.staging.kinds.tuple_of import TupleOf
from autograph._src.staging.kinds.value_kind import ValueKind, join, kind_of, quoted
from autograph._src.staging.lists.list_contents import StagedElements, checked_element, empty
from autograph._src.staging.lists.list_lengths import Length, unknown
from autograph._src.staging.lists.list_of import ListOf
from autograph._src.staging.objects.joined_records import JoinedRecords
from autograph._src.staging.objects.kept_errors import SITE, KeptErrors
from autograph._src.staging.tensors.memory import Memory
from autograph._src.staging.tensors.python_scalars import compare
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, wrap
from autograph._src.staging.trace.active import require_trace, staging_error
from autograph._src.staging.trace.object_sites import ListKind, ObjectKind, ObjectSites, RecordKind, Site
from autograph._src.staging.trace.record_trees import RecordWord, class_of
from autograph._src.staging.trace.restarts import begin_again_with_objects
from autograph._src.staging.trace.signals import UnknownResult
from autograph._src.staging.trace.trace import Trace
from autograph.errors import Location

if TYPE_CHECKING:
    from autograph._src.staging.control.journal import Block

_OPEN: Length = unknown()
"""The length of every table: one unknown for all, since tracing never needs it."""


_MARK = TensorOf(np.dtype("bool"), (), Form.PYTHON)
"""The type of the dummy leaf of rows that have no other."""


class ObjectTable:
    """A table.

    Attributes:
        number: The number of the table in the trace.
        kind: The row type.
        contents: One graph list for each leaf of a row.
        memory: Counts the writes to the table.
        has_class: Whether ``kind`` names the class object of this recording, not of an earlier one.
        length_changes: How many ops changed the length of a row.
        no_rows: The graph lists before the first row is added.
    """

    def __init__(self, number: int, kind: ObjectKind) -> None:
        self.number = number
        self.kind = kind
        self.memory = Memory(0)
        self.length_changes = 0
        self.has_class = False
        self.contents = replace(empty(self.row_type(), self.called()), length=_OPEN)
        self.no_rows = self.contents.values

    def row_type(self) -> ValueKind:
        """The kind of a row; a row without graph values gets a dummy leaf."""
        if isinstance(self.kind, ListKind):
            return ListOf(self.element, None, self.called())
        fields = TupleOf(tuple, self.kind.types)
        return fields if fields.graph_types() else TupleOf(tuple, (_MARK, *self.kind.types))

    @property
    def element(self) -> ValueKind:
        """The type of the lists' elements."""
        assert isinstance(self.kind, ListKind)
        return NOTHING_YET if self.kind.element is None else self.kind.element

    def called(self) -> str:
        """How messages describe a row."""
        if isinstance(self.kind, ListKind):
            return "a list in a list"
        return f"a {self.kind.of_class.__name__} in a list"

    # What the journal reads and writes

    def read_contents(self, name: str) -> StagedElements:
        """All rows, as a value."""
        return self.contents

    def write_contents(self, value: StagedElements) -> None:
        """Replaces all rows."""
        self.contents = replace(value, length=_OPEN)

    def adopt(self, kind: RecordWord) -> None:
        """Takes over the class of a new row: a class defined in the function differs in each recording.

        Raises:
            StagingError: If the table has rows of another class of this recording (AG131).
        """
        assert isinstance(self.kind, RecordKind)
        if self.kind.word != kind and self.has_class:
            raise staging_error(
                "AG131",
                f"objects of two classes `{class_of(kind).__name__}` are in one staged list, or bound to one"
                " variable by a staged statement",
                "make the class once, outside of the function",
            )
        self.kind = replace(self.kind, word=kind)
        self.has_class = True

    def values(self) -> tuple[int, ...]:
        """The graph lists, one for each leaf of a row."""
        return self.contents.read()

    def become(
        self, values: Sequence[int], memories: list[Memory] | None = None, row: Tensor | None = None
    ) -> None:
        """Replaces the contents, and tells the journal.

        Args:
            values: The new graph lists.
            memories: Memories that arrays in them may refer to, besides those known.
            row: The number of the row that is written; ``None`` if one is added.
        """
        place = Contents(self)
        place.name = self.called()
        if row is not None:
            self._require_own(place, row)
        require_trace().journal.will_write(place)
        self.contents = replace(self.contents, values=tuple(values)).with_memories(memories or [])

    def _require_own(self, place: Contents, row: Tensor) -> None:
        """Has a run fail if an isolated block writes a row that is older: nothing would be seen of it."""
        for block, before in require_trace().journal.before_isolated(place):
            if before.values == self.no_rows:
                continue
            first = wrap(emit("list_length", before.values[0]), Form.PYTHON)
            noun = self.called().removesuffix(" in a list")
            message = f"{noun} from around {block.what} is written in it: return the new value instead"
            emit("check", compare("greater_equal", row, first).read(), "GraphValueError", message)

    def added(self, leaves: Sequence[int], memories: list[Memory]) -> Tensor:
        """Adds a row; gives its number."""
        values = self.values()
        row = wrap(emit("list_length", values[0]), Form.PYTHON)
        pairs = zip(values, leaves, strict=True)
        self.become([emit("list_append", *pair) for pair in pairs], memories)
        return row

    def require_elements_known(self) -> None:
        """Leaves the block if it reads an element while the element type of the table is unknown.

        The code after the read can only run if other code adds elements. That starts the recording over, with
        the type known.

        Raises:
            UnknownResult: If the type is unknown, in a block.
            RuntimeError: If the type is unknown, outside any block; the run raises before it gets here.
        """
        if not isinstance(self.kind, ListKind) or self.kind.element is not None:
            return
        if require_trace().journal.blocks:
            raise UnknownResult(frozenset())
        raise RuntimeError("an element of a list that has none")


class Objects:
    """The tables of a trace.

    Attributes:
        sites: What is known of the sites where objects are made.
        tables: The tables by their numbers.
        looked_at: The identities of the objects whose fields are being learned, to stop at cycles.
        joined: The dicts that are one of several dicts.
        errors: The exceptions that variables keep.
    """

    def __init__(self, sites: ObjectSites) -> None:
        self.sites = sites
        sites.has_changed = False
        self.tables: dict[int, ObjectTable] = {}
        self.looked_at: set[int] = set()
        self.joined = JoinedRecords()
        self.errors = KeptErrors()
        self._made: dict[int, tuple[Any, Site, bool]] = {}

    def open(self, trace: Trace) -> None:
        """Makes the tables, before the function runs."""
        for number in self.sites.numbers():
            kind = self.sites.kind_of(number)
            table = self.tables[number] = ObjectTable(number, _canonical_kind(kind, self.sites))
            trace.journal.existed(table)

    def note_error(self, error: BaseException) -> None:
        """Gives a number to an exception that the program has made, if any is asked for its own."""
        self.errors.note_made(error, self.table_at(SITE))

    def require_unchanged(self, blocks: list[Block], where: Location | None = None) -> None:
        """Refuses writes that nobody told of: see :class:`JoinedRecords` and :class:`KeptErrors`."""
        self.joined.require_unchanged(blocks, where)
        if not blocks:
            self.errors.require_unchanged(where)

    def note_made(self, value: object, site: Site, is_referred_to: bool) -> None:
        """Remembers the site of an object."""
        self._made[id(value)] = (value, site, is_referred_to)

    def site_of(self, value: object) -> Site | None:
        """The site of an object, if it was noted.

        Raises:
            StagingError: If its ``__init__`` stored it somewhere, so that it cannot become a row (AG121).
        """
        found = self._made.get(id(value))
        if found is None:
            return None
        if found[2]:
            name = type(value).__name__
            raise staging_error(
                "AG121",
                f"a staged list holds {with_article(name)}, or a staged statement decides which:"
                " its `__init__` puts it somewhere before it is made",
                f"do that after `{name}(…)`",
            )
        return found[1]

    def table_at(self, site: Site) -> ObjectTable | None:
        """The table for objects made at a site; ``None`` if they are not rows."""
        if not self.tables:
            return None
        number = self.sites.number_at(site)
        return None if number is None else self.tables.get(number)


def table_of(number: int) -> ObjectTable:
    """The table with this number in the present trace."""
    return require_trace().objects.tables[number]


def _canonical_kind(kind: ObjectKind, sites: ObjectSites) -> ObjectKind:
    if isinstance(kind, ListKind):
        return ListKind(None if kind.element is None else kind.element.with_tables_of(sites))
    return replace(kind, types=tuple(one.with_tables_of(sites) for one in kind.types))


# Learning


def joined_kinds(left: ObjectKind, right: ObjectKind, name: str | None = None) -> ObjectKind:
    """The row type that holds objects of both types.

    Args:
        left: One type.
        right: The other.
        name: The variable or the place that may be either, for the message; ``None`` if it is not known.

    Raises:
        StagingError: If there is none (AG131).
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
            types = tuple(join(_field(left, n), a, b, words) for n, a, b in pairs)
            for one in types:
                one.in_list()
            return replace(right, types=types)
        first, second = (f"{_kind_named(kind)} with {_listed(kind)}" for kind in (left, right))
        parts = "keys" if left.is_of_dicts() else "attributes"
        is_order = set(left.names) == set(right.names)
        remedy = (
            f"write the {parts} in one order"
            if is_order
            else f"give both the same {parts} where they are made, with a first value"
        )
    else:
        first, second = map(_kind_named, (left, right))
        remedy = "keep objects of one class, with the same attributes or keys"
    if name is None:
        what = f"{first} and {second} are in one staged list, or bound to one variable by a staged statement"
    else:
        what = f"{quoted(name)} is {first} on one path and {second} on another"
    raise staging_error("AG131", what, remedy)


def _field(kind: RecordKind, name: object) -> str:
    return f"{_kind_name(kind)}[{name!r}]" if kind.is_of_dicts() else f"{_kind_name(kind)}.{name}"


def _kind_name(kind: ObjectKind) -> str:
    return "list" if isinstance(kind, ListKind) else kind.of_class.__name__


def _kind_named(kind: ObjectKind) -> str:
    return with_article(_kind_name(kind))


def _listed(kind: RecordKind) -> str:
    """The keys or attributes of a row type in words."""
    word = "key" if kind.is_of_dicts() else "attribute"
    if not kind.names:
        return f"no {word}s"
    shown = ", ".join(repr(name) if kind.is_of_dicts() else f"`{name}`" for name in kind.names)
    return f"the {word} {shown}" if len(kind.names) == 1 else f"the {word}s {shown}"


def described(value: object) -> ValueKind:
    """The kind of a value, with objects in it as rows."""
    return kind_of(value).without_flags().as_rows()


def element_of(parts: list[ValueKind]) -> ValueKind | None:
    """The join of the element types; ``None`` for an empty list."""
    words = ("in one element", "in another")
    return reduce(lambda one, other: join("the list[…]", one, other, words), parts) if parts else None


def fitted(table: ObjectTable, element: ValueKind) -> None:
    """Makes sure that the lists of a table hold elements of a type.

    Raises:
        Learned: If they did not until now.
    """
    if element is NOTHING_YET:
        return
    element = checked_element(element, table.called())
    if element == table.element and isinstance(table.kind, ListKind) and table.kind.element is not None:
        return
    require_trace().objects.sites.widen(table.number, ListKind(element), joined_kinds)
    begin_again_with_objects()
