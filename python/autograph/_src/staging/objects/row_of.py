"""The kind of the program's objects that are rows of a table: the number of the row.

    rows.append([])         # the empty list is a row of a table of lists: int64[]

See :mod:`autograph._src.staging.objects.object_tables`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from autograph._src.staging.kinds.static import is_plain_record
from autograph._src.staging.kinds.value_kind import Paths, ValueKind, join, quoted, refuse_join
from autograph._src.staging.objects.flagged_row import FlaggedRow
from autograph._src.staging.objects.object_kinds import learn_object
from autograph._src.staging.objects.object_rows import reference
from autograph._src.staging.objects.object_tables import joined_kinds, table_of
from autograph._src.staging.tensors.lifting import constant
from autograph._src.staging.tensors.plain_values import object_at
from autograph._src.staging.tensors.tensor import Form, Tensor, wrap
from autograph._src.staging.trace.active import require_trace, staging_error
from autograph._src.staging.trace.object_sites import ListKind
from autograph._src.staging.trace.record_trees import begin_with_copy
from autograph._src.staging.trace.recorder import Value
from autograph._src.staging.trace.references import is_reference
from autograph._src.staging.trace.restarts import begin_again_with_objects

if TYPE_CHECKING:
    from autograph._src.staging.objects.list_arrays import Arrays
    from autograph._src.staging.objects.nodes_of_call import Nodes
    from autograph._src.staging.trace.object_sites import ObjectSites


@dataclass(frozen=True)
class RowOf(FlaggedRow):
    """The kind of a variable bound to an object that is a row of a table.

    Attributes:
        number: The number of the table.
        may_be_unbound: Whether the kind has a flag.
    """

    number: int
    may_be_unbound: bool = False
    may_be_none = True

    @classmethod
    def of(cls, value: object, serial: int | None = None) -> RowOf | None:
        """The kind of a reference to a row; ``None`` for other values."""
        return cls(value.ag_table.number, value.ag_bound is not None) if is_reference(value) else None

    @classmethod
    def joined(cls, name: str, left: ValueKind, right: ValueKind, where: Paths) -> ValueKind | None:
        """Joins a row with a row or an object that can become one."""
        if not isinstance(left, RowOf) and not isinstance(right, RowOf):
            return None
        return join_rows(name, left, right, where)

    @classmethod
    def joined_as_rows(cls, name: str, left: ValueKind, right: ValueKind, where: Paths) -> ValueKind | None:
        """Joins two objects by making both rows of one table."""
        return join_as_rows(name, left, right, where)

    @classmethod
    def of_object(cls, value: object) -> RowOf | None:
        """The row kind of an object, with the table of its site; ``None`` if it cannot be a row."""
        number = learn_object(value)
        return None if number is None else cls(number)

    def in_words(self) -> str:
        """A list, or the class of the objects."""
        objects = require_trace().objects
        table = objects.tables.get(self.number)
        if table is not None:
            return table.called().removesuffix(" in a list")
        kind = objects.sites.kind_of(self.number)  # The table exists only in the next recording.
        return "a list" if isinstance(kind, ListKind) else f"a {kind.of_class.__name__}"

    def row_and_flag(self, value: object) -> tuple[Tensor, Tensor | None]:
        """The number of the row, 0 as a placeholder, and the flag."""
        if is_reference(value):
            return value.ag_row, value.ag_bound
        return constant(0, "int64", Form.PYTHON), None

    def unpack(self, values: list[Value], name: str) -> Any:
        """The reference."""
        made = reference(table_of(self.number), wrap(values.pop(0), Form.PYTHON), name)
        if self.may_be_unbound:
            object.__setattr__(made, "ag_bound", wrap(values.pop(0), Form.PYTHON))
        return made

    def plain(self, columns: Iterator[NDArray[Any]], nodes: Nodes | None = None) -> list[Any]:
        """The objects at the rows."""
        objects = columns.objects[self.number]  # type: ignore[attr-defined]
        return [object_at(objects, row) for row in next(columns).tolist()]

    def array(self, arrays: Arrays) -> Any:
        """An array with one row for each list."""
        return arrays.rows_of(table_of(self.number))

    def container(self) -> RowOf:
        """The kind itself, which says what makes the rows."""
        return self

    def tables(self) -> list[int]:
        """The table of the rows."""
        return [self.number]

    def is_list(self) -> bool:
        """Always, so that a list joined with it becomes a row."""
        return True

    def is_row(self) -> bool:
        """Always true."""
        return True

    def with_tables_of(self, sites: ObjectSites) -> ValueKind:
        """The kind with the table that its own was merged into."""
        return replace(self, number=sites.find(self.number))


def join_rows(name: str, left: ValueKind, right: ValueKind, where: Paths) -> ValueKind:
    """The kind of a variable that is a row on one path and a row or object on the other.

    Raises:
        Learned: If the two tables had to be merged.
    """
    one, two = left.as_rows(), right.as_rows()
    if not (isinstance(one, RowOf) and isinstance(two, RowOf)):
        _refuse_outside(name, (left, right), where)
        refuse_join(name, left, right, where)
    joined = partial(joined_kinds, name=name)
    number = require_trace().objects.sites.unite(one.number, two.number, joined)
    begin_again_with_objects()
    return RowOf(number, one.may_be_unbound or two.may_be_unbound)


def join_as_rows(name: str, left: ValueKind, right: ValueKind, where: Paths) -> ValueKind:
    """The kind of a variable that is one of two objects of the program, which become rows.

    Raises:
        StagingError: If they cannot be rows (AG131).
        Learned: If they are not rows yet.
    """
    one, two = left.as_rows(), right.as_rows()
    begin_again_with_objects()
    if one.is_row() or two.is_row():
        return join(name, one, two, where)
    refuse_join(name, left, right, where)


def _refuse_outside(name: str, pair: tuple[ValueKind, ValueKind], where: Paths) -> None:
    """Refuses a list or record from outside of the function, which is no row, beside one that is."""
    for kind, (path, other) in zip(pair, (where, where[::-1]), strict=True):
        known = kind.known()
        if type(known) is list or is_plain_record(kind):
            of_class = type(known).__name__
            raise staging_error(
                "AG131",
                f"{quoted(name)} is a {of_class} from outside of the staged function {path}, and one in a"
                f" staged container {other}",
                begin_with_copy(name, known),
            )
