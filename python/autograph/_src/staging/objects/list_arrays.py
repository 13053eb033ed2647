"""Converts staged lists to arrays as NumPy does, depending on the kind of their elements.

    np.array(points)        # elements are tuples: one column for each of their elements
    a[2:5] = rows           # elements are lists: one row each; a ValueError if their lengths differ
    np.array(xs, np.uint8)  # elements are converted one by one; an OverflowError if one does not fit

Each kind of element defines its array with ``ValueKind.array``; other kinds raise an error.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from autograph._src.staging.kinds.ragged_of import is_ragged
from autograph._src.staging.kinds.tensor_of import TensorOf
from autograph._src.staging.lists.list_contents import StagedElements, empty
from autograph._src.staging.lists.ragged import stacked_ragged
from autograph._src.staging.lists.traced_list import scratch_list
from autograph._src.staging.objects.object_lists import ListReference
from autograph._src.staging.objects.object_tables import ObjectTable, table_of
from autograph._src.staging.objects.row_of import RowOf
from autograph._src.staging.tensors.item_conversions import as_converted
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.python_scalars import compare, require
from autograph._src.staging.tensors.tensor import Form, Tensor, wrap
from autograph._src.staging.trace import statements
from autograph._src.staging.trace.active import staging_error
from autograph._src.staging.trace.object_sites import ListKind
from autograph._src.staging.trace.state import NO_VARIABLES
from autograph._src.staging.trace.statements import records, stage_for

_NOTHING = "an array of an empty list has floats, not the type that its elements would have"
"""NumPy decides the dtype by the length of the list, and a graph cannot: there an array has one type."""

_NONE = "an array of a list that holds None has objects, which a staged function cannot make"

_INHOMOGENEOUS = "setting an array element with a sequence. The requested array has an inhomogeneous shape"


@records(statements.array_of)
def array_of(contents: StagedElements, dtype: np.dtype[Any] | None = None) -> Tensor:
    """The elements as one array, along its first axis.

    Args:
        contents: The contents of the list.
        dtype: The dtype to which each element is converted; ``None`` to choose it by the elements.
    """
    element = contents.element
    if is_ragged(element):
        return stacked_ragged(contents)
    count = contents.count()
    if isinstance(count, Tensor):
        is_list_of_numbers = isinstance(element, TensorOf) and not element.shape
        if not is_list_of_numbers or (dtype is None and element.dtype != float):  # type: ignore[attr-defined]
            require(compare("greater", count, 0), "GraphValueError", _NOTHING)
    elif count == 0:
        return lift(np.zeros(0, dtype))
    columns = contents.stacked(None if isinstance(count, Tensor) else count)
    return lift(element.array(Arrays(contents.name, count, iter(columns), dtype)))


def flattened_rows(contents: StagedElements) -> Tensor | None:
    """``np.concatenate`` of a list of lists of numbers; ``None`` for other lists."""
    if not isinstance(contents.element, RowOf):
        return None
    table = table_of(contents.element.number)
    if not isinstance(table.kind, ListKind) or not isinstance(table.element, TensorOf):
        return None
    if table.element.shape:
        return None
    count = contents.count()
    require(compare("greater", lift(count), 0), ValueError, "need at least one array to concatenate")
    (numbers,) = contents.stacked(None if isinstance(count, Tensor) else count)
    return array_of(_joined_rows(table, numbers, count, None))


class Arrays:
    """The arrays of the leaves of a list's elements, from which each kind builds its array.

    Attributes:
        name: The list, for messages.
        count: The number of elements.
        columns: The arrays that are not yet used.
        dtype: The dtype to which each number is converted; ``None`` to leave them.
    """

    def __init__(
        self, name: str, count: int | Tensor, columns: Iterator[Tensor], dtype: np.dtype[Any] | None
    ) -> None:
        self.name = name
        self.count = count
        self.columns = columns
        self.dtype = dtype

    def as_they_are(self) -> Arrays:
        """The same arrays, none of which is converted."""
        return Arrays(self.name, self.count, self.columns, None)

    def converted(self, column: Any, form: Form) -> Any:
        """An array of elements of a form, each of them converted."""
        return column if self.dtype is None else as_converted(lift(column), form, self.dtype)

    def next_column(self) -> Tensor:
        """The array of the next leaf."""
        return next(self.columns)

    def require_present(self, present: Tensor) -> None:
        """Records that the run raises if an element is ``None``."""
        require(lift(np.all(present)), "GraphValueError", _NONE)

    def refusal(
        self,
        what: str,
        why: str = "NumPy makes one of objects",
        remedy: str = "put the numbers into a list of their own",
    ) -> Exception:
        """The error for elements that have no array in a graph."""
        return staging_error("AG120", f"a list that holds {what} has no array in a graph: {why}", remedy)

    def stacked(self, parts: list[Any]) -> object:
        """The arrays of the elements of tuples, stacked along axis 1."""
        shapes = [part.shape[1:] for part in parts]
        sizes = [{size for size in axis if isinstance(size, int)} for axis in zip(*shapes, strict=False)]
        if len({len(shape) for shape in shapes}) > 1 or any(len(known) > 1 for known in sizes):
            raise ValueError(_INHOMOGENEOUS)
        return np.stack(parts, axis=1)

    def rows_of(self, table: ObjectTable) -> object:
        """The array of lists that are rows of a table; the run raises if their lengths differ."""
        if not isinstance(table.kind, ListKind):
            raise self.refusal(f"{table.kind.of_class.__name__} objects")
        numbers = self.next_column()
        length = _row(table, numbers[0]).current().count()
        flat = array_of(_joined_rows(table, numbers, self.count, length), self.dtype)
        return np.reshape(flat, (self.count, length, *flat.shape[1:]))


def _row(table: ObjectTable, number: Tensor) -> Any:
    return ListReference(table, wrap(lift(number).read(), Form.PYTHON))


def _joined_rows(table: ObjectTable, numbers: Tensor, count: object, length: object) -> StagedElements:
    """The elements of the lists at these rows in sequence; the run raises if one has not this length."""
    flat: Any = scratch_list(empty(table.element, table.called()))

    def add(position: Tensor) -> None:
        row = _row(table, numbers[position])
        if length is not None:
            require(compare("equal", row.current().count(), length), ValueError, _INHOMOGENEOUS)
        flat.extend(row)

    stage_for(count, lambda position: position, None, add, NO_VARIABLES)
    return flat.current()  # type: ignore[no-any-return]
