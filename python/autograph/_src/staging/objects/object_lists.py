"""Lists that are rows of a table: lists inside staged lists, and variables bound to them.

    row = rows[i]       # a reference: the number of a row
    row.append(1)       # changes the list at that row for all references
    rows[i][-1]         # so this is 1

Reading or changing one element is a single op on the table. Any other change takes the list out, changes it
and puts it back, which costs time in proportion to that list only.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograph._src.staging.kinds.tensor_of import known_element
from autograph._src.staging.kinds.value_kind import ValueKind, join
from autograph._src.staging.lists.list_contents import StagedElements, element_type, staged_contents
from autograph._src.staging.lists.list_indices import inside
from autograph._src.staging.lists.list_lengths import Length, unknown
from autograph._src.staging.lists.sharing import memories_in
from autograph._src.staging.lists.traced_list import StagedList
from autograph._src.staging.objects.object_rows import REFERENCES
from autograph._src.staging.objects.object_tables import ObjectTable, described, element_of, fitted
from autograph._src.staging.tensors.memory import Memory, Role
from autograph._src.staging.tensors.positions import as_index
from autograph._src.staging.tensors.python_scalars import compare
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, wrap
from autograph._src.staging.trace import statements
from autograph._src.staging.trace.object_sites import ListKind
from autograph._src.staging.trace.statements import records


class RowElements(StagedElements):
    """The contents of the list at a row, read from the table on demand."""

    def __init__(self, table: ObjectTable, row: Tensor, name: str) -> None:
        super().__init__(table.element, (), unknown(), name)
        self.table = table
        self.row = row

    def read(self) -> tuple[int, ...]:
        """The graph lists of the row, taken out of the table."""
        return tuple(emit("list_get", one, self.row.read()) for one in self.table.values())

    def taken(self) -> StagedElements:
        """The present contents, independent of later changes."""
        return StagedElements(self.element, self.read(), self.length, self.name, self.table.contents.shared)

    def count(self) -> int | Tensor:
        """``len(…)``."""
        return wrap(emit("list_length_in", self.table.values()[0], self.row.read()), Form.PYTHON)

    def at(self, position: Tensor) -> Any:
        """The element at a position that is known to be in range."""
        self.table.require_elements_known()
        place = (self.row.read(), position.read())
        return self.element_of([emit("list_get_in", one, *place) for one in self.table.values()])

    def element_of(self, values: list[int]) -> Any:
        """The element made of these leaves."""
        self.shared = self.table.contents.shared
        return self._element(values)

    def cast(self, element: ValueKind) -> StagedElements:
        """The same elements with a wider type."""
        is_same = element == self.element and known_element(self.element) is not None
        return self if is_same or element is self.element else self.taken().cast(element)

    def with_memories(self, memories: list[Memory]) -> StagedElements:
        """The same contents, whose arrays may refer to these memories too."""
        return self.taken().with_memories(memories)

    def _with(self, values: Sequence[int], length: Length) -> StagedElements:
        return StagedElements(self.element, tuple(values), length, self.name, self.table.contents.shared)


class ListReference(StagedList):
    """A list that is a row of a table."""

    __slots__ = ("ag_bound", "ag_row", "ag_table")

    ag_table: ObjectTable
    ag_row: Tensor
    ag_bound: Tensor | None
    """For a variable that may be unbound, the staged flag that says whether it is bound."""

    def __init__(self, table: ObjectTable, row: Tensor, name: str | None = None) -> None:
        list.__init__(self)
        self.ag_table = table
        self.ag_row = row
        self.ag_bound = None
        self.memory = table.memory
        self.log = None
        self.shared = ()
        self.role = Role.OWNER
        self.declared = None
        self.name = name
        self.sites = ()
        self.choice = None

    @property
    def contents(self) -> StagedElements:  # type: ignore[override]
        """The contents, read from the table on demand."""
        return RowElements(self.ag_table, self.ag_row, self.name or "the list")

    def current(self) -> StagedElements:
        """The present contents, for messages named after a variable that is bound to the list."""
        return RowElements(self.ag_table, self.ag_row, self.called())

    def require_current(self) -> None:
        """Does nothing: a reference always reads the present row."""

    def will_change(self) -> None:
        """Does nothing: the table tells the journal."""

    def may_be(self, others: list[Any], role: Role) -> None:
        """Does nothing: the row number says which list this is."""

    def require_known_identity(self, other: object) -> None:
        """Does nothing: row numbers decide identity, and a list outside the table is another one."""

    def read_contents(self, name: str) -> StagedElements:
        """The present contents."""
        return self.current()

    def staged(self, element: object = None) -> StagedElements:
        """The present contents."""
        return self.current()

    def declare(self, elements: Any) -> None:
        """Applies the element type that the program declares."""
        element = elements.element()
        if element is not None:
            fitted(self.ag_table, element)
        elements.check(self.ag_table.element, self.called())

    def write_contents(self, value: Sequence[Any] | StagedElements) -> None:
        """Replaces the contents."""
        table = self.ag_table
        if not isinstance(value, StagedElements):
            value = staged_contents(list(value), self.called(), table.element)
        if not value.is_empty():
            fitted(table, value.element)
        leaves = value.cast(table.element).read()
        table.length_changes += 1
        pairs = zip(table.values(), leaves, strict=True)
        values = [emit("list_set", one, self.ag_row.read(), leaf) for one, leaf in pairs]
        table.become(values, [memory for memory, _ in value.shared], self.ag_row)

    def become(self, contents: StagedElements) -> None:
        """Replaces the contents."""
        self.write_contents(contents)

    def _fitting(self, value: object) -> tuple[list[int], list[Memory]]:
        """The leaves of a value as an element, and the memories that its arrays may refer to."""
        table, element = self.ag_table, element_type(value)
        assert isinstance(table.kind, ListKind)
        if table.kind.element is not None:
            words = ("before", "in what is added")
            element = join(f"{self.called()}[…]", table.kind.element, element, words)
        fitted(table, element)
        return table.element.pack(value), memories_in(value)

    def append(self, value: object) -> None:
        """``list.append``."""
        leaves, memories = self._fitting(value)
        table, row = self.ag_table, self.ag_row.read()
        table.length_changes += 1
        pairs = zip(table.values(), leaves, strict=True)
        values = [emit("list_append_in", one, row, leaf) for one, leaf in pairs]
        table.become(values, memories, self.ag_row)

    def pop(self, index: object = -1) -> Any:
        """``list.pop``."""
        if not (isinstance(index, int) and index == -1):
            return super().pop(index)
        contents, table = self.current(), self.ag_table
        assert isinstance(contents, RowElements)
        inside(contents, -1, "pop from empty list")
        table.require_elements_known()
        table.length_changes += 1
        pairs: list[Any] = [emit("list_pop_in", one, self.ag_row.read()) for one in table.values()]
        table.become([pair[0] for pair in pairs], row=self.ag_row)
        return contents.element_of([pair[1] for pair in pairs])

    def set_staged_item(self, index: object, value: object) -> None:
        """``xs[index] = value``."""
        if isinstance(index, slice):
            super().set_staged_item(index, value)
            return
        as_index(index)
        leaves, memories = self._fitting(value)
        position = inside(self.current(), index, "list assignment index out of range")
        table, place = self.ag_table, (self.ag_row.read(), position.read())
        pairs = zip(table.values(), leaves, strict=True)
        values = [emit("list_set_in", one, *place, leaf) for one, leaf in pairs]
        table.become(values, memories, self.ag_row)

    def is_same(self, other: object) -> object:
        """``self is other``."""
        if not isinstance(other, ListReference) or other.ag_table is not self.ag_table:
            return False
        return compare("equal", self.ag_row, other.ag_row)


@records(statements.new_list)
def new_list(table: ObjectTable, contents: StagedElements | list[Any]) -> ListReference:
    """Adds a list that the program makes to a table as a new row.

    Args:
        table: The table.
        contents: The first contents of the list.
    """
    assert isinstance(table.kind, ListKind)
    if not isinstance(contents, StagedElements):
        values = contents
        known = element_of([described(value) for value in values])
        if known is not None:
            fitted_to(table, known)
        contents = staged_contents(values, table.called(), table.element)
    elif known_element(contents.element) is not None and not contents.is_empty():
        fitted_to(table, contents.element)
    if contents.element != table.element:
        contents = contents.cast(table.element)
    row = table.added(contents.read(), [memory for memory, _ in contents.shared])
    return ListReference(table, row)


def fitted_to(table: ObjectTable, element: ValueKind) -> None:
    """Widens the element type of a table's lists to hold elements of this type too.

    Raises:
        Learned: If the type was narrower until now.
    """
    assert isinstance(table.kind, ListKind)
    if table.kind.element is not None:
        element = join("the list[…]", table.kind.element, element, ("in one list", "in another"))
    fitted(table, element)


REFERENCES[ListKind] = ListReference
