"""The contents of a staged list: one graph list for each leaf of its elements, and a length.

    path.append((x, y))       # two graph lists: the `x`s and the `y`s

Contents are immutable values: every operation gives new ones, as every op of the graph does. The list object
(``traced_list.py``) then stores the new contents and tells the journal. The length is a plain number where it
is known:

    for t in range(8):
        outputs.append(h)     # 8 elements after the loop: `np.stack(outputs)` has a shape
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from autograph._src.staging.kinds.tensor_of import known_element
from autograph._src.staging.kinds.value_kind import ValueKind, join, kind_of
from autograph._src.staging.lists.list_lengths import Length, known_or_new
from autograph._src.staging.lists.sharing import HoldsArrays, memories_in, note_sharing
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.memory import WHY_STALE, ManyArrays, Memory, Role, Shared
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, wrap
from autograph._src.staging.trace.active import require_trace, staging_error
from autograph._src.staging.trace.recorder import GraphType, Value
from autograph._src.staging.trace.restarts import begin_again_with_objects

if TYPE_CHECKING:
    from autograph._src.staging.control.journal import Reads

IN_LIST = ManyArrays()
"""The memory of all elements of staged lists: a write to an element that was read does not reach the list."""


@dataclass(eq=False)
class StagedElements(HoldsArrays):
    """The contents of a staged list.

    Attributes:
        element: The kind of the elements, see :mod:`autograph._src.staging.kinds`.
        values: The graph lists, one for each leaf of an element.
        length: The number of elements.
        name: The list, for messages.
        shared: Memories that arrays among the elements may refer to, each with its version when the array
            was put in.
    """

    element: ValueKind
    values: tuple[int, ...]
    length: Length
    name: str
    shared: Shared = ()

    def read(self) -> tuple[int, ...]:
        """The graph lists.

        Raises:
            StagingError: If an array in the list was written in place since it was put in (AG111).
        """
        if any(memory.version != version for memory, version in self.shared):
            message = WHY_STALE[Role.ELEMENT].format(f"`{self.name}`")
            raise staging_error("AG111", message, "put a copy into the list: `.copy()`")
        return self.values

    def taken(self) -> StagedElements:
        """The present contents, independent of later changes."""
        return self

    def ag_memories(self) -> list[Memory]:
        """The memories that arrays among the elements may refer to."""
        return [memory for memory, _ in self.shared]

    def ag_note_sharing(self, memories: list[Memory], role: Role, serial: int) -> None:
        """Notes memories that arrays among the elements may refer to."""
        self.may_share(memories)

    def may_share(self, memories: list[Memory]) -> None:
        """Notes memories that arrays among the elements may refer to, with their present versions."""
        known = {id(memory) for memory, _ in self.shared}
        more = tuple((memory, memory.version) for memory in memories if id(memory) not in known)
        self.shared = (*self.shared, *more)

    def with_memories(self, memories: list[Memory]) -> StagedElements:
        """The same contents, whose arrays may refer to these memories too."""
        made = replace(self)
        made.may_share(memories)
        return made

    def count(self) -> int | Tensor:
        """``len(…)``: a plain int if it is known."""
        if self.length.base is None:
            return self.length.offset
        return wrap(emit("list_length", self.read()[0]), Form.PYTHON)

    def is_empty(self) -> bool:
        """Whether it is known to have no elements."""
        return self.length.base is None and self.length.offset == 0

    # Reading

    def at(self, position: Tensor) -> Any:
        """The element at a position that is known to be in range."""
        return self._element([emit("list_get", one, position.read()) for one in self.read()])

    def _element(self, values: list[int]) -> object:
        element = self.element.unpack(values, self.name)
        note_sharing(element, [IN_LIST, *(memory for memory, _ in self.shared)], Role.ELEMENT)
        return element

    def slice(self, start: Tensor, stop: Tensor, step: Tensor, length: Length) -> StagedElements:
        """The elements between bounds as ``slice.indices`` gives them."""
        bounds = (start.read(), stop.read(), step.read())
        return self._with([emit("list_slice", one, *bounds) for one in self.read()], length)

    def stacked(self, size: int | None) -> list[Tensor]:
        """Each leaf of the elements as one array, the elements along the first axis.

        Args:
            size: The number of elements; ``None`` if only the run knows it.
        """
        return [wrap(emit("list_stack", one, size), Form.ARRAY) for one in self.read()]

    # Writing

    def appended(self, value: object) -> StagedElements:
        """The contents with one more element at the end."""
        fitting, leaves = self._fit(value)
        values = [emit("list_append", one, leaf) for one, leaf in zip(fitting.read(), leaves, strict=True)]
        return fitting._with(values, self.length.plus(1)).with_memories(memories_in(value))

    def inserted(self, position: Tensor, value: object) -> StagedElements:
        """The contents with one more element at a position, which is the length at most."""
        return self._changed("list_insert", position, value, 1)

    def replaced(self, position: Tensor, value: object) -> StagedElements:
        """The contents with the element at a position replaced."""
        return self._changed("list_set", position, value, 0)

    def _changed(self, op: str, position: Tensor, value: object, added: int) -> StagedElements:
        fitting, leaves = self._fit(value)
        place = position.read()
        pairs = zip(fitting.read(), leaves, strict=True)
        values = [emit(op, one, place, leaf) for one, leaf in pairs]
        length = self.length.plus(added) if added else self.length
        return fitting._with(values, length).with_memories(memories_in(value))

    def popped(self) -> tuple[StagedElements, Any]:
        """The contents without the last element, and that element; they must not be empty."""
        pairs: list[Any] = [emit("list_pop", one) for one in self.read()]
        rest = self._with([pair[0] for pair in pairs], self.length.plus(-1))
        return rest, self._element([pair[1] for pair in pairs])

    def without(self, position: Tensor) -> StagedElements:
        """The contents without the element at a position."""
        place = position.read()
        return self._with([emit("list_delete", one, place) for one in self.read()], self.length.plus(-1))

    def followed_by(self, other: StagedElements) -> StagedElements:
        """These elements, then those of ``other``."""
        element = self._joined(other.element)
        left, right = self.cast(element), other.cast(element)
        pairs = zip(left.read(), right.read(), strict=True)
        both = left._with([emit("list_concatenate", *pair) for pair in pairs], self.length.sum(other.length))
        return both.with_memories([memory for memory, _ in other.shared])

    def reversed(self) -> StagedElements:
        """The elements in reverse order."""
        return self._with([emit("list_reverse", one) for one in self.read()], self.length)

    def emptied(self) -> StagedElements:
        """Empty contents of the same type."""
        return empty(self.element, self.name)

    # Types

    def cast(self, element: ValueKind) -> StagedElements:
        """The same elements with a wider type: a loop of the graph converts them."""
        if element is self.element or (element == self.element and known_element(self.element) is not None):
            return self
        if self.is_empty():
            return replace(empty(element, self.name), shared=self.shared)
        is_renumbered = self.element.is_renumbered() or element.is_renumbered()
        if element.graph_types() == self.element.graph_types() and not is_renumbered:
            return replace(self, element=element)
        return _cast_in_a_loop(self, element)

    def _with(self, values: Sequence[int], length: Length) -> StagedElements:
        return replace(self, values=tuple(values), length=length)

    def _fit(self, value: object) -> tuple[StagedElements, list[int]]:
        """These contents, widened to hold the value too, and the leaves of the value."""
        fitting = self.cast(checked_element(self._joined(element_type(value)), self.name))
        return fitting, fitting.element.pack(value)

    def _joined(self, element: ValueKind) -> ValueKind:
        words = ("before", "in what is added")
        if known_element(self.element) is None:
            return element
        if known_element(element) is None:
            return self.element
        return join(f"{self.name}[…]", self.element, element, words)


def element_type(value: object) -> ValueKind:
    """The kind of a value as an element of a list."""
    return rows_in(kind_of(value).without_flags())


def rows_in(element: ValueKind) -> ValueKind:
    """The kind of an element of a staged list, with lists and objects in it as rows of tables.

    Raises:
        Learned: If they are not rows yet.
    """
    found = element.as_rows()
    begin_again_with_objects()
    return found


def checked_element(element: ValueKind | None, name: str) -> ValueKind:
    """The element kind, if a staged list can hold it.

    Raises:
        StagingError: If it cannot, or if the type of an empty list is not known (AG121).
    """
    if element is None:
        raise staging_error(
            "AG121",
            f"`{name}` is empty where a staged statement looks into it, and what it will hold is not known",
            f"say it where the list is made: `ag.set_element_type({name}, np.float64, ())`",
        )
    found = element.as_element()
    if found.graph_types():
        return found
    what, remedy = found.why_no_element()
    raise staging_error(
        "AG121",
        f"`{name}` holds {what}, and its length depends on a staged statement",
        remedy,
    )


def list_types(element: ValueKind) -> list[GraphType]:
    """The types of the graph lists that hold elements of this kind."""
    types = element.graph_types()
    return [("list", (dtype, shape if dtype == "list" else list(shape))) for dtype, shape in types]


def empty(element: ValueKind, name: str) -> StagedElements:
    """Empty contents with this element kind."""
    values = [emit("list_make", kind, []) for _, kind in list_types(element)]
    return StagedElements(element, tuple(values), Length(None, 0), name)


def staged_contents(
    values: Sequence[Any], name: str, element: ValueKind | None = None, reads: Reads | None = None
) -> StagedElements:
    """The elements of a plain list as contents of a staged list.

    Args:
        values: The elements.
        name: The list, for messages.
        element: Their kind, needed if there are no elements.
        reads: The graph values of arrays at the end of the path with these elements, if changed since.
    """
    for position, value in enumerate(values):
        kind = element_type(value)
        label = f"{name}[{position}]"
        element = kind if element is None else join(label, element, kind, ("before", "at this position"))
    element = checked_element(element, name)
    columns = zip(*(element.pack(value, reads) for value in values), strict=True)
    columns_or_none = list(columns) or [() for _ in list_types(element)]
    types = list_types(element)
    lists = [
        emit("list_make", kind, list(column))
        for (_, kind), column in zip(types, columns_or_none, strict=True)
    ]
    made = StagedElements(element, tuple(lists), Length(None, len(values)), name)
    return made.with_memories([memory for value in values for memory in memories_in(value)])


def _cast_in_a_loop(contents: StagedElements, element: ValueKind) -> StagedElements:
    """``[cast(element) for element in contents]`` as one loop of the graph."""
    trace = require_trace()
    sources = contents.read()
    initial = list(empty(element, contents.name).values)
    bounds = (lift(0).read(), emit("list_length", sources[0]), lift(1).read())

    def step(params: list[Value]) -> list[Value]:
        index, *lists = params
        found = contents.element.unpack([emit("list_get", one, index) for one in sources], contents.name)
        pairs = zip(lists, element.pack(found), strict=True)
        return [emit("list_append", one, leaf) for one, leaf in pairs]

    region = trace.locate().region([("int64", []), *list_types(element)], step)
    values = tuple(trace.locate().for_(bounds, initial, region))
    return replace(contents, element=element, values=values)


def restored(values: list[int], element: ValueKind, length: Length | None, name: str) -> StagedElements:
    """Contents made of graph lists, which are removed from the front of ``values``."""
    count = len(list_types(element))
    taken = tuple(values[:count])
    del values[:count]
    return StagedElements(element, taken, known_or_new(length), name)
