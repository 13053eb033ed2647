"""A variable that is bound to one list or another: the graph values of what they hold.

if x > 1:           # staged
    rows = [x]
else:
    rows = [x, x]   # a new list after the `if`
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from autograph._src.staging.kinds.leaf_kind import GraphType, LeafKind, Paths, join, kind_of
from autograph._src.staging.kinds.leaf_type import known_element
from autograph._src.staging.kinds.static import Static
from autograph._src.staging.kinds.tuple_of import TupleOf
from autograph._src.staging.lists.list_contents import checked_element
from autograph._src.staging.lists.list_joins import bound_list, contents_of, serial_of
from autograph._src.staging.lists.list_of import ListOf, element_among
from autograph._src.staging.lists.traced_list import TracedList
from autograph._src.staging.objects.object_tables import element_of, joined_kinds
from autograph._src.staging.objects.row_of import RowOf, join_rows
from autograph._src.staging.trace.active import require_trace
from autograph._src.staging.trace.object_sites import ListKind
from autograph._src.staging.trace.references import is_reference

if TYPE_CHECKING:
    from autograph._src.staging.control.journal import Reads


@dataclass(frozen=True)
class ListObject(LeafKind):
    """A variable that is bound to one list or another.

    Attributes:
        contents: What they hold.
        sites: Where the program makes them.
    """

    contents: ListOf | TupleOf
    sites: tuple[Any, ...] = field(default=(), compare=False)
    is_parameter = True
    may_be_none = True

    @classmethod
    def of(cls, value: object, serial: int | None = None) -> ListObject | None:
        """Of a list that is made in the block."""
        if serial is None or not isinstance(value, TracedList) or is_reference(value):
            return None
        return cls.of_list(value) if serial_of(value) > serial else None

    @classmethod
    def joined(cls, name: str, left: LeafKind, right: LeafKind, where: Paths) -> LeafKind | None:
        """Two lists that are made on two paths."""
        if not (isinstance(left, ListObject) and isinstance(right, ListObject)):
            return None
        contents = join(name, left.contents, right.contents, where)
        assert isinstance(contents, (ListOf, TupleOf))
        return cls(contents, tuple(dict.fromkeys((*left.sites, *right.sites))))

    def in_words(self) -> str:
        """A list."""
        return "a list"

    def graph_types(self) -> list[GraphType]:
        """Those of the contents."""
        return self.contents.graph_types()

    def pack(self, value: object, reads: Reads | None = None) -> list[int]:
        """The contents."""
        return self.contents.pack(contents_of(value), reads)

    def unpack(self, values: list[int], name: str) -> TracedList:
        """A new list."""
        return bound_list(self.contents.unpack(values, name), name, self.sites)

    def is_list(self) -> bool:
        """Always."""
        return True

    def copied_lists(self, value: object) -> list[TracedList]:
        """The list."""
        return [value] if isinstance(value, TracedList) else []

    def as_rows(self) -> LeafKind:
        """A row of the table of the lists that are made there."""
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
    def of_list(cls, value: TracedList) -> ListObject:
        """Of a list, whenever it was made."""
        contents = kind_of(contents_of(value))
        assert isinstance(contents, (ListOf, TupleOf))
        return cls(contents, value.sites)


def lists_type(name: str, left: LeafKind, right: LeafKind, where: Paths) -> LeafKind:
    """The kind of a variable that is bound to two lists, of which one may be from before."""
    if isinstance(left, RowOf) or isinstance(right, RowOf):
        return join_rows(name, left, right, where)
    return join(name, _as_object(left), _as_object(right), where)


def _as_object(kind: LeafKind) -> ListObject:
    if isinstance(kind, ListObject):
        return kind
    assert isinstance(kind, Static)
    return ListObject.of_list(kind.value)


def list_argument(value: TracedList) -> ListObject:
    """The kind of a list that a call of the graph takes or gives: how long it is, each call knows."""
    contents = ListObject.of_list(value).contents
    if isinstance(contents, TupleOf):
        element = element_among(f"{value.called()}[…]", contents)
        if element is None:
            return ListObject(contents)
        contents = ListOf(checked_element(element, value.called()), None, value.called())
    return ListObject(replace(contents, length=None), value.sites)
