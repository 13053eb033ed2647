"""The kind of the contents of staged lists: one graph list for each leaf of an element.

    path.append((x, 1))     # list[float64[]], list[int64[]]

The list object itself is not part of the kind, only its contents are.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import reduce
from typing import TYPE_CHECKING, Any

from autograph._src.operators.undefined import Undefined
from autograph._src.staging.kinds.tensor_of import NOTHING_YET, known_element
from autograph._src.staging.kinds.tuple_of import TupleOf
from autograph._src.staging.kinds.value_kind import Paths, ValueKind, join
from autograph._src.staging.lists.list_contents import (
    StagedElements,
    checked_element,
    empty,
    list_types,
    restored,
    rows_in,
    staged_contents,
)
from autograph._src.staging.lists.list_lengths import Length
from autograph._src.staging.trace.recorder import GraphType, Value
from autograph.errors import StagingError

if TYPE_CHECKING:
    from autograph._src.staging.control.journal import Reads


@dataclass(frozen=True)
class ListOf(ValueKind):
    """The kind of the contents of a staged list.

    Attributes:
        element: The kind of the elements.
        length: The number of elements, if known.
        name: The list, for messages.
    """

    element: ValueKind
    length: Length | None
    name: str = field(compare=False)

    @classmethod
    def of(cls, value: object, serial: int | None = None) -> ListOf | None:
        """The kind of staged contents; ``None`` for other values."""
        return cls(value.element, value.length, value.name) if isinstance(value, StagedElements) else None

    @classmethod
    def joined(cls, name: str, left: ValueKind, right: ValueKind, where: Paths) -> ValueKind | None:
        """Joins staged contents; leaves two plain contents of one length to ``TupleOf``."""
        if not (left.is_list_contents() and right.is_list_contents()):
            return None
        if isinstance(left, TupleOf) and isinstance(right, TupleOf) and len(left.parts) == len(right.parts):
            return None
        called = next((one.name for one in (left, right) if isinstance(one, ListOf)), name)
        lengths = [one.length if isinstance(one, ListOf) else _count(one) for one in (left, right)]
        length = lengths[0] if lengths[0] == lengths[1] else None
        return cls(joined_element(called, left, right, where), length, called)

    def in_words(self) -> str:
        """A list."""
        return "a list"

    def graph_types(self) -> list[GraphType]:
        """The types of the graph lists."""
        return list_types(self.element)

    def pack(self, value: Any, reads: Reads | None = None) -> list[Value]:
        """The graph lists, empty for an unbound variable."""
        if isinstance(value, Undefined):
            return list(empty(self.element, self.name).values)
        if not isinstance(value, StagedElements):
            return list(staged_contents(list(value), self.name, self.element, reads).values)
        known = (reads or {}).get(id(value))
        if isinstance(known, StagingError):
            raise known
        if known is None:
            value.read()
        return list(value.cast(self.element).values)

    def unpack(self, values: list[Value], name: str) -> StagedElements:
        """The contents made of the graph lists."""
        return restored(values, self.element, self.length, self.name)

    def is_list_contents(self) -> bool:
        """Always true."""
        return True


def joined_element(name: str, left: ValueKind, right: ValueKind, where: Paths) -> ValueKind:
    """The kind of the elements of two contents, or tuples.

    Args:
        name: The list or tuple, for messages.
        left: The kind of the one.
        right: The kind of the other.
        where: The two paths in words.
    """
    label = f"{name}[…]"
    known = [element_among(label, one) for one in (left, right)]
    elements = [one for one in known if one is not None and known_element(one) is not None]
    elements = elements or [NOTHING_YET]
    element = join(label, elements[0], elements[1], where) if len(elements) == 2 else elements[0]
    return checked_element(element, name)


def element_among(label: str, contents: ValueKind) -> ValueKind | None:
    """The join of the kinds of all elements; ``None`` if there are no elements."""
    if isinstance(contents, ListOf):
        return contents.element
    assert isinstance(contents, TupleOf)
    parts = [rows_in(part.without_flags()) for part in contents.parts]
    words = ("in one element", "in another")
    return reduce(lambda one, other: join(label, one, other, words), parts) if parts else None


def _count(contents: ValueKind) -> Length:
    assert isinstance(contents, TupleOf)
    return Length(None, len(contents.parts))
