"""The kind of variables that are bound to one of several records of one class: the values' graph values.

    for step in range(n):                                  # staged
        p = {k: w - 0.1 * g[k] for k, w in p.items()}      # after the loop `p` is a new dict
        state = State(state.x + 1.0, state.v)              # and `state` a new object

Records are dicts with the same keys, and objects of a dataclass: see
:mod:`autograph._src.staging.trace.record_trees`. The join gives the record a new identity;
:mod:`autograph._src.staging.objects.joined_records` sees to it that nobody can tell.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from autograph._src.dict_classes import Defaulting
from autograph._src.operators.places import Elements
from autograph._src.operators.undefined import Undefined
from autograph._src.staging.kinds.static import Static, is_plain_record, refuse_element
from autograph._src.staging.kinds.tuple_of import TupleOf
from autograph._src.staging.kinds.value_kind import Paths, ValueKind, join, kind_of, quoted
from autograph._src.staging.lists.list_joins import serial_of
from autograph._src.staging.objects.joined_records import JoinedRecord
from autograph._src.staging.objects.list_object import ListObject
from autograph._src.staging.objects.object_fields import checked_field, field_path
from autograph._src.staging.objects.object_tables import joined_kinds
from autograph._src.staging.objects.row_of import RowOf
from autograph._src.staging.trace.active import require_trace, staging_error
from autograph._src.staging.trace.object_sites import RecordKind, Site
from autograph._src.staging.trace.record_trees import (
    RecordWord,
    class_of,
    is_record_tree,
    is_word_of_dicts,
    record_elements,
    record_of,
    record_values,
    record_word,
)
from autograph._src.staging.trace.recorder import GraphType, Value
from autograph._src.staging.trace.statements import contents_differ

if TYPE_CHECKING:
    from autograph._src.staging.control.journal import Reads

Sites = tuple[Site, ...]


@dataclass(frozen=True)
class RecordObject(ValueKind):
    """The kind of a variable that is bound to one of several records.

    Attributes:
        contents: The kind of the records' contents, with their keys or fields.
        word: The records' class, and the factory of a `defaultdict`.
        sites: The sites where the program makes the records; ``None`` if one of them is not the program's.
    """

    contents: TupleOf
    word: RecordWord
    sites: Sites | None = field(default=None, compare=False)
    may_be_none = True

    @classmethod
    def of(cls, value: object, serial: int | None = None) -> RecordObject | None:
        """The kind of a record that was made in the block; ``None`` for other values."""
        if serial is None or not is_record_tree(value):
            return None
        return cls.of_record(value, serial) if serial_of(value) > serial else None

    @classmethod
    def of_record(cls, value: Any, serial: int | None = None) -> RecordObject:
        """The kind of a record, no matter when it was made."""
        elements = record_elements(value)
        parts = tuple(kind_of(element, serial) for element in elements)
        sites = require_trace().objects.joined.sites_of(value)
        return cls(TupleOf(Elements, parts, elements), record_word(value), sites)

    @classmethod
    def joined(cls, name: str, left: ValueKind, right: ValueKind, where: Paths) -> ValueKind | None:
        """Joins two records; one that is older than the block too, unless both are the same."""
        are_known = isinstance(left, Static) and isinstance(right, Static)
        if are_known and (left.known() is right.known() or _are_nodes(left.known(), right.known())):
            return None
        one, other = _as_record(left), _as_record(right)
        if one is None or other is None:
            return None
        if one.holds_its_like() or other.holds_its_like():
            return None
        if one.word != other.word:
            _refuse_factories(name, one, other, where)
            return None
        if one.sites and other.sites and one._keys() != other._keys():
            contents_differ(one.container(), other.container())
            return None  # Rows of tables that do not fit.
        contents = join(name, one._called(name), other._called(name), where)
        assert isinstance(contents, TupleOf)
        if one.sites is None or other.sites is None:
            return cls(contents, one.word)
        return cls(contents, one.word, tuple(dict.fromkeys((*one.sites, *other.sites))))

    @classmethod
    def of_object(cls, value: object) -> ValueKind | None:
        """The row kind of a record that is one of several records of the program."""
        if not is_record_tree(value) or not require_trace().objects.joined.is_joined(value):
            return None
        found = cls.of_record(value).as_rows()
        return found if found.is_row() else None

    @classmethod
    def of_contents(cls, value: object) -> RecordObject | None:
        """The kind of any record that is a tree."""
        return cls.of_record(value, -1) if is_record_tree(value) else None

    def holds_its_like(self) -> bool:
        """Whether it is of objects that hold others of their class, as a chain does."""
        return not is_word_of_dicts(self.word) and any(_holds(part, self.word) for part in self.inside())

    def _keys(self) -> tuple[Any, ...] | None:
        return None if self.contents.like is None else self.contents.like.keys

    def _called(self, name: str) -> TupleOf:
        """The kind of the contents with the variable's name, for messages."""
        like = self.contents.like
        assert like is not None
        return replace(self.contents, like=like.with_values(like, name))

    def in_words(self) -> str:
        """The class of the records."""
        return f"a {class_of(self.word).__name__}"

    def graph_types(self) -> list[GraphType]:
        """The graph types of the values."""
        return self.contents.graph_types()

    def pack(self, value: Any, reads: Reads | None = None) -> list[Value]:
        """The graph values of the record's values."""
        contents = value if isinstance(value, Undefined) else record_values(value)
        return self.contents.pack(contents, reads)

    def unpack(self, values: list[Value], name: str) -> Any:
        """A new record with the contents."""
        contents = self.contents.unpack(values, name)
        trace = require_trace()
        made = trace.journal.created(record_of(self.word, zip(contents.keys or (), contents, strict=True)))
        trace.objects.joined.add(JoinedRecord(made, name, tuple(trace.journal.blocks), self))
        return made

    def container(self) -> Any:
        """One of the dicts."""
        return self.contents.like.owner if self.contents.like is not None else None

    def inside(self) -> tuple[ValueKind, ...]:
        """The kinds of the values."""
        return self.contents.parts

    def with_inside(self, change: Callable[[ValueKind], ValueKind]) -> ValueKind:
        """The kind with that of each value changed."""
        return replace(self, contents=replace(self.contents, parts=tuple(map(change, self.contents.parts))))

    def copied_lists(self, value: object) -> list[Any]:
        """The record itself, and what is copied with it."""
        if not is_record_tree(value):
            return []
        pairs = zip(record_values(value), self.contents.parts, strict=False)
        return [value, *(one for part, kind in pairs for one in kind.copied_lists(part))]

    def in_list(self) -> ValueKind:
        """Refused: a list of the graph holds records that are rows of a table."""
        refuse_element(record_of(self.word, ()))

    def as_rows(self) -> ValueKind:
        """The kind of a row in the table of the records made at these sites."""
        if not self.sites:
            return self
        names = self._keys() or ()
        pairs = zip(names, self.contents.parts, strict=True)
        types = tuple(
            checked_field(part.without_flags().as_rows(), field_path(class_of(self.word), name))
            for name, part in pairs
        )
        sites = require_trace().objects.sites
        return RowOf(sites.learn(self.sites, RecordKind.of(self.word, names, types), joined_kinds))


def _refuse_factories(name: str, one: RecordObject, other: RecordObject, where: Paths) -> None:
    """Refuses two kinds of `defaultdict`, as of a factory that the function makes anew each time."""
    if isinstance(one.word, Defaulting) and isinstance(other.word, Defaulting):
        raise staging_error(
            "AG131",
            f"{quoted(name)} is a defaultdict {where[0]}, and one with another factory {where[1]}",
            "make the factory once, outside of the function",
        )


def _holds(kind: ValueKind, word: RecordWord) -> bool:
    if isinstance(kind, RecordObject) and kind.word == word:
        return True
    if isinstance(kind, ListObject):
        return _holds(kind.contents, word)
    if isinstance(kind, Static):
        return type(kind.value) is word
    return any(_holds(part, word) for part in kind.inside())


def _as_record(kind: ValueKind) -> RecordObject | None:
    """The kind of a record by its values; ``None`` for what is no record."""
    if isinstance(kind, RecordObject):
        return kind
    return RecordObject.of_record(kind.known(), -1) if is_plain_record(kind) else None


def _are_nodes(left: object, right: object) -> bool:
    """Whether both are objects of the arguments that tables may hold: these know which of them it is."""
    search = require_trace().search
    return search is not None and len(search.among((left, right))) == 2
