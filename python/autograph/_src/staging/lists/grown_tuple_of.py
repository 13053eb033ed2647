"""The kind of tuples whose length depends on data: one graph list for each leaf of an element.

    if x > 0:           # staged
        t += (x,)       # one element more on this path

Tuples of one length on all paths are of the kind ``TupleOf``, which has one for each position.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from autograph._src.operators.undefined import Undefined
from autograph._src.staging.kinds.tuple_of import TupleOf
from autograph._src.staging.kinds.value_kind import Paths, ValueKind
from autograph._src.staging.lists.grown_tuple import GrownTuple
from autograph._src.staging.lists.list_contents import empty, list_types, restored, staged_contents
from autograph._src.staging.lists.list_of import ListOf, joined_element
from autograph._src.staging.trace.active import staging_error
from autograph._src.staging.trace.recorder import GraphType, Value

if TYPE_CHECKING:
    from autograph._src.staging.control.journal import Reads
    from autograph._src.staging.objects.list_arrays import Arrays
    from autograph._src.staging.objects.nodes_of_call import Nodes


@dataclass(frozen=True)
class GrownTupleOf(ValueKind):
    """The kind of a tuple as a list of its elements.

    Attributes:
        element: The kind of the elements.
    """

    element: ValueKind
    is_parameter = True
    may_be_none = True

    @classmethod
    def of(cls, value: object, serial: int | None = None) -> GrownTupleOf | None:
        """The kind of such a tuple; ``None`` for other values."""
        return cls(value.ag_elements.element) if type(value) is GrownTuple else None

    @classmethod
    def joined(cls, name: str, left: ValueKind, right: ValueKind, where: Paths) -> ValueKind | None:
        """The kind of two tuples, at least one of them grown, or of two plain ones of different lengths."""
        if not (_is_tuple(left) and _is_tuple(right)):
            return None
        if isinstance(left, TupleOf) and isinstance(right, TupleOf) and len(left.parts) == len(right.parts):
            return None
        contents = [ListOf(one.element, None, name) if isinstance(one, cls) else one for one in (left, right)]
        return cls(joined_element(name, contents[0], contents[1], where))

    def in_words(self) -> str:
        """A tuple."""
        return "a tuple whose length depends on data"

    def graph_types(self) -> list[GraphType]:
        """The types of the graph lists."""
        return list_types(self.element)

    def pack(self, value: Any, reads: Reads | None = None) -> list[Value]:
        """The graph lists, empty for an unbound variable."""
        if isinstance(value, Undefined) or value is None:
            return list(empty(self.element, "the tuple").values)
        if type(value) is GrownTuple:
            return ListOf(self.element, None, "the tuple").pack(value.ag_elements, reads)
        return list(staged_contents(value, "the tuple", self.element, reads).values)

    def unpack(self, values: list[Value], name: str) -> GrownTuple:
        """The tuple."""
        return GrownTuple(restored(values, self.element, None, name))

    def plain(self, columns: Iterator[NDArray[Any]], nodes: Nodes | None = None) -> list[Any]:
        """The plain tuples, from columns with their lengths and all elements."""
        pairs = [(next(columns), next(columns)) for _ in self.element.graph_types()]
        elements = self.element.plain(_Columns([every for _, every in pairs], columns), nodes)
        ends = accumulate(pairs[0][0].tolist(), initial=0)
        return [tuple(elements[begin:end]) for begin, end in pairwise(ends)]

    def array(self, arrays: Arrays) -> Any:
        """Refused: rows of different lengths."""
        raise arrays.refusal("tuples whose length depends on data")

    def inside(self) -> tuple[ValueKind, ...]:
        """The kind of the elements."""
        return (self.element,)

    def with_inside(self, change: Callable[[ValueKind], ValueKind]) -> ValueKind:
        """The kind with that of the elements changed."""
        return replace(self, element=change(self.element))

    def in_list(self) -> ValueKind:
        """The kind, as an element of a staged list.

        Raises:
            StagingError: If it holds lists or tuples of such lengths (AG121).
        """
        if any(dtype == "list" for dtype, _ in self.element.graph_types()):
            raise staging_error(
                "AG121",
                "a container of tuples whose length depends on data, with such tuples or arrays in them",
                "keep them in lists: `xs.append(list(t))`",
            )
        return self


class _Columns(Iterator[Any]):
    """The elements of all tuples of a list, and what else the run gives: the rows that they refer to."""

    def __init__(self, columns: list[NDArray[Any]], outputs: Iterator[NDArray[Any]]) -> None:
        self._columns = iter(columns)
        self._outputs = outputs

    def __next__(self) -> NDArray[Any]:
        return next(self._columns)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._outputs, name)


def _is_tuple(kind: ValueKind) -> bool:
    """Whether a kind is that of tuples; not of named ones, which have as many elements in each run."""
    is_plain = isinstance(kind, TupleOf) and kind.kind is tuple and kind.like is None
    return is_plain or isinstance(kind, GrownTupleOf)
