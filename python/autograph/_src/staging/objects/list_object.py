"""The kind of variables that are bound to one of several new lists: the graph values of the contents.

    if x > 1:           # staged
        rows = [x]
    else:
        rows = [x, x]   # after the `if`, `rows` is a new list with either contents

No other variable may be bound to these lists, since the join gives the list a new identity.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from autograph._src.staging.kinds.static import Static, refuse_element
from autograph._src.staging.kinds.tensor_of import known_element
from autograph._src.staging.kinds.tuple_of import TupleOf
from autograph._src.staging.kinds.value_kind import Paths, ValueKind, join, kind_of
from autograph._src.staging.lists.list_contents import checked_element
from autograph._src.staging.lists.list_joins import bound_list, contents_of, serial_of
from autograph._src.staging.lists.list_of import ListOf, element_among
from autograph._src.staging.lists.traced_list import TracedList
from autograph._src.staging.objects.object_tables import element_of, joined_kinds
from autograph._src.staging.objects.row_of import RowOf, join_rows
from autograph._src.staging.tensors.memory import Role
from autograph._src.staging.trace.active import require_trace
from autograph._src.staging.trace.object_sites import ListKind
from autograph._src.staging.trace.recorder import GraphType, Value
from autograph._src.staging.trace.references import is_reference

if TYPE_CHECKING:
    from autograph._src.staging.control.journal import Reads


@dataclass(frozen=True)
class ListObject(ValueKind):
    """The kind of a variable that is bound to one of several lists.

    Attributes:
        contents: The kind of the lists' contents.
        sites: The sites where the program makes the lists.
        is_outside: Whether one of them is from outside of the trace.
    """

    contents: ListOf | TupleOf
    sites: tuple[Any, ...] = field(default=(), compare=False)
    is_outside: bool = field(default=False, compare=False)
    is_parameter = True
    may_be_none = True

    @classmethod
    def of(cls, value: object, serial: int | None = None) -> ListObject | None:
        """The kind of a list that was made in the block; ``None`` for other values."""
        if serial is None or not isinstance(value, TracedList) or is_reference(value):
            return None
        return cls.of_list(value, serial) if serial_of(value) > serial else None

    @classmethod
    def joined(cls, name: str, left: ValueKind, right: ValueKind, where: Paths) -> ValueKind | None:
        """Joins two lists, of which one was made on its path or is from outside of the trace."""
        if isinstance(left, Static) and isinstance(right, Static) and left.value is right.value:
            return None
        one, other = left, right
        if any(_is_no_row(kind) or isinstance(kind, ListObject) for kind in (left, right)):
            one, other = (_as_object(part) if _is_list(part) else part for part in (left, right))
        if not (isinstance(one, ListObject) and isinstance(other, ListObject)):
            return None
        contents = join(name, one.contents, other.contents, where)
        assert isinstance(contents, (ListOf, TupleOf))
        if one.is_outside or other.is_outside:
            return cls(contents, is_outside=True)
        return cls(contents, tuple(dict.fromkeys((*one.sites, *other.sites))))

    @classmethod
    def of_contents(cls, value: object) -> ListObject | None:
        """The kind of any list but a row."""
        return cls.of_list(value, -1) if isinstance(value, list) and not is_reference(value) else None

    def in_words(self) -> str:
        """A list."""
        return "a list"

    def graph_types(self) -> list[GraphType]:
        """The graph types of the contents."""
        return self.contents.graph_types()

    def pack(self, value: object, reads: Reads | None = None) -> list[Value]:
        """The graph values of the contents."""
        return self.contents.pack(contents_of(value), reads)

    def unpack(self, values: list[Value], name: str) -> TracedList:
        """A new list with the contents."""
        return bound_list(self.contents.unpack(values, name), name, self.sites)

    def is_list(self) -> bool:
        """Always true."""
        return True

    def copied_lists(self, value: object) -> list[TracedList]:
        """The list itself, and what is copied with it."""
        if not isinstance(value, TracedList):
            return []
        if not isinstance(self.contents, TupleOf) or value.contents is not None:
            return [value]
        pairs = zip(list.copy(value), self.contents.parts, strict=False)
        return [value, *(one for part, kind in pairs for one in kind.copied_lists(part))]

    def in_list(self) -> ValueKind:
        """The kind, unless a list is from outside: as an element it would be another list each time."""
        if self.is_outside:
            refuse_element([])
        return self

    def as_rows(self) -> ValueKind:
        """The kind of a row in the table of the lists made at these sites."""
        if not self.sites:
            return self
        if isinstance(self.contents, ListOf):
            element = known_element(self.contents.element)
        else:
            element = element_of([part.without_flags().as_rows() for part in self.contents.parts])
        if element is not None:
            element = checked_element(element, "a list in a list")
        return RowOf(require_trace().objects.sites.learn(self.sites, ListKind(element), joined_kinds))

    @classmethod
    def of_list(cls, value: list[Any], serial: int | None = None) -> ListObject:
        """The kind of a list, no matter when it was made, with those in it that the block has made."""
        contents = kind_of(contents_of(value), serial)
        assert isinstance(contents, (ListOf, TupleOf))
        if isinstance(value, TracedList):
            # One that a staged statement chose among lists from outside is of no site.
            is_chosen = value.role in (Role.CARRIED, Role.JOINED) and not value.sites
            is_outside = is_chosen or id(value) in require_trace().given
            return cls(contents, value.sites, is_outside=is_outside)
        return cls(contents, is_outside=True)


def _is_plain_list(kind: ValueKind) -> bool:
    """Whether it is the kind of a list from outside of the trace."""
    return isinstance(kind, Static) and type(kind.value) is list


def _is_no_row(kind: ValueKind) -> bool:
    """Whether it is the kind of a list that can be no row of a table: it is, or may be, one from outside."""
    is_list = isinstance(kind, Static) and _is_list(kind)
    return is_list and (type(kind.known()) is list or not kind.known().sites)


def _is_list(kind: ValueKind) -> bool:
    return _is_plain_list(kind) or (kind.is_list() and not kind.is_row())


def lists_type(name: str, left: ValueKind, right: ValueKind, where: Paths) -> ValueKind:
    """The kind of a variable bound to different lists on two paths; one list may be older than the block."""
    if isinstance(left, RowOf) or isinstance(right, RowOf):
        return join_rows(name, left, right, where)
    return join(name, _as_object(left), _as_object(right), where)


def _as_object(kind: ValueKind) -> ListObject:
    if isinstance(kind, ListObject):
        return kind
    assert isinstance(kind, Static)
    return ListObject.of_list(kind.value, -1)


def list_argument(value: TracedList) -> ListObject:
    """The kind of a list as a parameter or result of a function of the graph; its length may vary."""
    contents = ListObject.of_list(value).contents
    if isinstance(contents, TupleOf):
        element = element_among(f"{value.called()}[…]", contents)
        if element is None:
            return ListObject(contents)
        contents = ListOf(checked_element(element, value.called()), None, value.called())
    return ListObject(replace(contents, length=None), value.sites)
