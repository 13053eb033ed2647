"""The types of staged variables: what a variable is on every path, or in every iteration.

>>> import numpy as np
>>> str(LeafType(np.dtype("float32"), (3,), Kind.ARRAY))
'float32 array of shape (3,)'
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from autograph.operators.places import Elements
from autograph.operators.undefined import Undefined
from autograph.staging.complex_tensor import COMPLEX, rebuilt_complex
from autograph.staging.constants import Constants
from autograph.staging.list_lengths import Length
from autograph.staging.tensor import Kind, shape_text

if TYPE_CHECKING:
    from autograph.staging.nodes import Forest


@dataclass(frozen=True)
class LeafType:
    """The type of a staged variable.

    Attributes:
        dtype: Element type.
        shape: Dimensions; ``None`` for one that only a run knows.
        kind: What it is in plain Python.
        may_be_unbound: Whether it carries a flag.
        constants: The numbers that it is known to be one of, see :mod:`autograph.staging.constants`.
    """

    dtype: np.dtype[Any]
    shape: tuple[int | None, ...]
    kind: Kind
    may_be_unbound: bool = False
    constants: Constants | None = field(default=None, compare=False)

    @property
    def known_shape(self) -> tuple[int, ...]:
        """The dimensions of a type that says them all."""
        return tuple(size for size in self.shape if size is not None)

    def __str__(self) -> str:
        if self.kind is Kind.PYTHON:
            return {"b": "bool", "i": "int", "f": "float"}[self.dtype.kind]
        if not self.shape:
            return f"{self.dtype.name} scalar"
        return f"{self.dtype.name} array of shape {shape_text(self.shape)}"


@dataclass(frozen=True)
class Static:
    """A variable whose value is known while tracing and the same on every path."""

    value: Any


@dataclass(frozen=True)
class TupleOf:
    """A variable bound to a tuple, or the contents of a container, of one length on every path.

    Attributes:
        kind: ``tuple``, the class of a ``NamedTuple``, or ``Elements``.
        parts: The types of its elements.
        like: The elements of a container, for its keys and its name.
    """

    kind: type
    parts: tuple[LeafKind, ...]
    like: Elements | None = field(default=None, compare=False)

    def rebuild(self, values: list[Any]) -> Any:
        """The tuple of these elements."""
        if self.like is not None:
            made = Elements.of(values, self.like.name, self.like.keys)
            made.can_grow = self.like.can_grow
            return made
        return tuple(values) if self.kind is tuple else self.kind(*values)

    def labels(self, name: str) -> list[str]:
        """How messages name the elements of a variable of this name."""
        if self.like is not None:
            return [self.like.label(position) for position in range(len(self.parts))]
        return [f"{name}[{position}]" for position in range(len(self.parts))]


@dataclass(frozen=True)
class ComplexOf(TupleOf):
    """A variable that is bound to a complex number or array, by its parts."""

    @property
    def real(self) -> LeafType:
        """The type of both parts."""
        part = self.parts[0]
        assert isinstance(part, LeafType)
        return part

    def rebuild(self, values: list[Any]) -> Any:
        """The value of two staged parts, or of two plain ones."""
        return rebuilt_complex(values[0], values[1], self.real.kind)

    def labels(self, name: str) -> list[str]:
        """Messages name the variable."""
        return [name, name]

    def __str__(self) -> str:
        if self.real.kind is Kind.PYTHON:
            return "complex"
        return str(replace(self.real, dtype=COMPLEX[self.real.dtype]))


@dataclass(frozen=True)
class Alternative:
    """One of the types of a variable that is of one type or of another.

    Attributes:
        leaf: The type.
        constants: The numbers that it is known to be one of.
    """

    leaf: LeafType | ComplexOf
    constants: Constants | None = None


@dataclass(frozen=True)
class UnionOf:
    """A variable that is a number or array of one type or of another, see :mod:`autograph.staging.unions`.

    Attributes:
        alternatives: The types, in an order of their own.
        may_be_unbound: Whether it carries a flag that says so.
    """

    alternatives: tuple[Alternative, ...]
    may_be_unbound: bool = False

    def __str__(self) -> str:
        names = [str(one.leaf) for one in self.alternatives]
        return " or ".join(f"an {name}" if name == "int" else f"a {name}" for name in names)


@dataclass(frozen=True)
class OptionalOf:
    """A variable that is ``None`` on some paths.

    Attributes:
        inner: What it is on the others, if there are such.
        may_be_unbound: Whether it carries a flag that says so.
    """

    inner: LeafType | TupleOf | UnionOf | ListObject | RowOf | RaggedOf | None
    may_be_unbound: bool = False


@dataclass(frozen=True)
class ListOf:
    """The contents of a staged list.

    Attributes:
        element: The type of the elements.
        length: How many there are, where that is known.
        name: The list, for messages.
    """

    element: LeafKind
    length: Length | None
    name: str = field(compare=False)


@dataclass(frozen=True)
class ListObject:
    """A variable that is bound to one list or another.

    Attributes:
        contents: What they hold.
        sites: Where the program makes them.
    """

    contents: ListOf | TupleOf
    sites: tuple[Any, ...] = field(default=(), compare=False)


@dataclass(frozen=True)
class MaybeUnbound:
    """A variable that is unbound on some paths and bound to a list on the others.

    Attributes:
        inner: What it is on the others: the same list, or one that is made there.
    """

    inner: ListObject | Static | RowOf


@dataclass(frozen=True)
class NodeOf:
    """A variable that is bound to a node of a table, or to ``None``.

    Attributes:
        forest: The tables.
        may_be_unbound: Whether it carries a flag that says so.
    """

    forest: Forest
    may_be_unbound: bool = False


@dataclass(frozen=True)
class RowOf:
    """A variable that is bound to an object of the program that is a row of a table.

    Attributes:
        number: The table.
        may_be_unbound: Whether it carries a flag that says so.
    """

    number: int
    may_be_unbound: bool = False


@dataclass(frozen=True)
class RaggedOf:
    """An element of a staged list that is an array with sizes that only the run knows.

    Attributes:
        inner: The type of the array.
    """

    inner: LeafType


INNER_OF_OPTIONAL = (LeafType, TupleOf, UnionOf, ListObject, RowOf, RaggedOf)
"""The types of what may be ``None`` instead."""


LeafKind = (
    NodeOf
    | RowOf
    | RaggedOf
    | LeafType
    | UnionOf
    | Static
    | Undefined
    | TupleOf
    | OptionalOf
    | ListOf
    | ListObject
    | MaybeUnbound
)

NOTHING_YET = LeafType(np.dtype("float64"), (), Kind.PYTHON)
"""What the elements of lists are taken for that no recording has put any into; it is known by identity."""


def known_element(element: Any) -> Any:
    """The type of elements; ``None`` while it is not known."""
    return None if element is NOTHING_YET else element
