"""The kind of tuples and of the contents of plain containers: the graph values of all elements.

    point = (x, 1)      # float64[], int64[]

The length is part of the kind: tuples of two lengths do not join.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from autograph._src.operators.places import Elements
from autograph._src.operators.undefined import Undefined
from autograph._src.staging.kinds.unbound import Unbound
from autograph._src.staging.kinds.value_kind import Paths, ValueKind, join, kind_of
from autograph._src.staging.trace.active import staging_error
from autograph._src.staging.trace.recorder import GraphType, Value
from autograph._src.staging.trace.statements import contents_differ

if TYPE_CHECKING:
    from autograph._src.staging.control.journal import Reads
    from autograph._src.staging.lists.traced_list import TracedList
    from autograph._src.staging.objects.list_arrays import Arrays
    from autograph._src.staging.objects.nodes_of_call import Nodes


@dataclass(frozen=True)
class TupleOf(ValueKind):
    """The kind of a tuple, or of a container's contents, with the same length on every path.

    Attributes:
        kind: ``tuple``, the class of a ``NamedTuple``, or ``Elements`` for a container's contents.
        parts: The kinds of the elements.
        like: For a container, an example of its contents that has the keys and the name.
    """

    kind: type
    parts: tuple[ValueKind, ...]
    like: Elements | None = field(default=None, compare=False)
    may_be_none = True

    @classmethod
    def of(cls, value: object, serial: int | None = None) -> ValueKind | None:
        """The kind of a tuple, a ``NamedTuple``, or a container's contents; ``None`` for other values."""
        if isinstance(value, Elements):
            return TupleOf(Elements, tuple(kind_of(element, serial) for element in value), value)
        if isinstance(value, tuple) and (type(value) is tuple or hasattr(value, "_fields")):
            return TupleOf(type(value), tuple(kind_of(element, serial) for element in value))
        return None

    @classmethod
    def joined(cls, name: str, left: ValueKind, right: ValueKind, where: Paths) -> ValueKind | None:
        """Joins element by element; joined with an unbound variable, each element may be unbound."""
        if isinstance(left, TupleOf) and isinstance(right, TupleOf):
            if left.like is not None and right.like is not None:
                _require_same_keys(left.like, right.like, where)
            if left.kind is not right.kind or len(left.parts) != len(right.parts):
                return None
            model, pairs = left, list(zip(left.parts, right.parts, strict=True))
        elif isinstance(left, TupleOf) and isinstance(right, Unbound):
            model, pairs = left, [(part, right) for part in left.parts]
        elif isinstance(right, TupleOf) and isinstance(left, Unbound):
            model, pairs = right, [(left, part) for part in right.parts]
        else:
            return None
        labels = model.labels(name)
        parts = tuple(join(n, one, two, where) for n, (one, two) in zip(labels, pairs, strict=True))
        return replace(model, parts=parts)

    def in_words(self) -> str:
        """A tuple, with its length; the parts of a dict, a set or a deque of the run are not counted."""
        stands_for = getattr(self.kind, "ag_words", None)
        if stands_for is not None:
            return str(stands_for)
        return f"a tuple of {len(self.parts)}"

    def graph_types(self) -> list[GraphType]:
        """The graph types of all elements."""
        return [one for part in self.parts for one in part.graph_types()]

    def pack(self, value: Any, reads: Reads | None = None) -> list[Value]:
        """The graph values of all elements."""
        parts = [value] * len(self.parts) if isinstance(value, Undefined) else self.parts_of(value)
        pairs = zip(parts, self.parts, strict=True)
        return [one for part, kind in pairs for one in kind.pack(part, reads)]

    def unpack(self, values: list[Value], name: str) -> Any:
        """The tuple, or the contents of a container."""
        return self.rebuild([part.unpack(values, name) for part in self.parts])

    def plain(self, columns: Iterator[NDArray[Any]], nodes: Nodes | None = None) -> list[Any]:
        """The plain tuples; an element without graph values is the same in each."""
        parts = [one.plain(columns, nodes) if one.graph_types() else None for one in self.parts]
        count = next(len(part) for part in parts if part is not None)
        pairs = zip(self.parts, parts, strict=True)
        filled = [[kind.unpack([], "")] * count if part is None else part for kind, part in pairs]
        of_row = getattr(self.kind, "ag_of_row", None)  # What stands for a dict or set is one object a row.
        rows = map(list, zip(*filled, strict=True))
        return [self.rebuild(row) if of_row is None else of_row(row, columns) for row in rows]

    def array(self, arrays: Arrays) -> Any:
        """The elements' columns, side by side."""
        if self.like is not None:
            return super().array(arrays)
        return arrays.stacked([part.array(arrays) for part in self.parts])

    def inside(self) -> tuple[ValueKind, ...]:
        """The kinds of the elements."""
        return self.parts

    def with_inside(self, change: Callable[[ValueKind], ValueKind]) -> ValueKind:
        """The kind with each element's kind changed."""
        return replace(self, parts=tuple(map(change, self.parts)))

    def is_of_numbers(self) -> bool:
        """Whether all elements are of numbers."""
        return all(part.is_of_numbers() for part in self.parts)

    def is_list_contents(self) -> bool:
        """Whether these are the contents of a list."""
        return self.like is not None and self.like.can_grow

    def copied_lists(self, value: object) -> list[TracedList]:
        """The copied lists of all elements."""
        if not isinstance(value, tuple):
            return []
        pairs = zip(value, self.parts, strict=False)  # A branch that raises may leave another length.
        return [one for part, kind in pairs for one in kind.copied_lists(part)]

    def in_list(self) -> ValueKind:
        """The kind with each element's kind as an element of a list."""
        return self.with_inside(lambda part: part.in_list()) if self.like is None else self

    def as_rows(self) -> ValueKind:
        """The kind with objects among the elements as rows."""
        return self.with_inside(lambda part: part.as_rows()) if self.like is None else self

    def parts_of(self, value: object) -> Any:
        """The elements of a value of this kind."""
        return value

    def rebuild(self, values: list[Any]) -> Any:
        """The tuple, or container contents, made of these elements."""
        if self.like is not None:
            return self.like.with_values(values)
        return tuple(values) if self.kind is tuple else self.kind(*values)

    def labels(self, name: str) -> list[str]:
        """How messages name the elements of a variable with this name."""
        if self.like is not None:
            return [self.like.label(position) for position in range(len(self.parts))]
        return [f"{name}[{position}]" for position in range(len(self.parts))]


def is_tuple(kind: ValueKind) -> bool:
    """Whether a kind is that of the program's tuples, and not of a container's contents."""
    return isinstance(kind, TupleOf) and issubclass(kind.kind, tuple) and kind.like is None


def _require_same_keys(left: Elements, right: Elements, where: Paths) -> None:
    """Refuses a container with different keys or lengths on two paths; only the values may differ."""
    if left.keys != right.keys or len(left) != len(right):
        contents_differ(left.owner, right.owner)
    if left.keys != right.keys:
        added = [key for key in right.keys or () if key not in (left.keys or ())]
        removed = [key for key in left.keys or () if key not in (right.keys or ())]
        if added:
            what = f"the key {added[0]!r} is in `{left.name}` only {where[1]}"
        elif removed:
            what = f"the key {removed[0]!r} is in `{left.name}` only {where[0]}"
        else:
            what = f"the keys of `{left.name}` have another order {where[1]} than {where[0]}"
        is_order = not added and not removed
        remedy = (
            "write the keys in one order"
            if is_order
            else "add the key before the staged statement, with a first value"
        )
        raise staging_error("AG121", what, remedy)
    if len(left) != len(right):
        raise staging_error(
            "AG121",
            f"`{left.name}` has {_count(left)} {where[0]} and {len(right)} {where[1]}",
            "keep the values in an array of the final size, and write to its items",
        )


def _count(elements: Elements) -> str:
    return "1 element" if len(elements) == 1 else f"{len(elements)} elements"
