"""Staged lists as the arrays that NumPy makes of them: by what their elements are.

    np.array(points)        # of tuples: a column each
    a[2:5] = rows           # of lists: a row each, of one length or a ValueError

An element of a kind that is not named here has no array: it is refused, and never its number in a table.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from autograph.operators.undefined import Undefined
from autograph.staging.leaf_types import (
    ComplexOf,
    LeafType,
    OptionalOf,
    RaggedOf,
    RowOf,
    Static,
    TupleOf,
    UnionOf,
)
from autograph.staging.list_contents import StagedElements, empty
from autograph.staging.object_sites import ListKind
from autograph.staging.object_tables import ObjectTable, table_of
from autograph.staging.python_scalars import compare, require
from autograph.staging.ragged import stacked_ragged
from autograph.staging.tensor import Kind, Tensor, is_python_scalar, lift, wrap
from autograph.staging.trace import staging_error
from autograph.staging.union_types import plain_constant, real_part, slots_of

_NOTHING = "an array of an empty list is one of floats, and not of the type its elements would have"
"""What NumPy does, and a graph cannot: there an array has one type."""

_NONE = "an array of a list that holds None is one of objects, which a staged function cannot make"

_INHOMOGENEOUS = "setting an array element with a sequence. The requested array has an inhomogeneous shape"


def array_of(contents: StagedElements) -> Tensor:
    """The elements as one array, along its first axis."""
    element = contents.element
    if isinstance(element, RaggedOf):
        return stacked_ragged(contents)
    count = contents.count()
    is_list_of_floats = isinstance(element, LeafType) and element.dtype == float and not element.shape
    if isinstance(count, Tensor):
        if not is_list_of_floats:
            require(compare("greater", count, 0), "GraphValueError", _NOTHING)
    elif count == 0:
        return lift(np.zeros(0))
    columns = contents.stacked(None if isinstance(count, Tensor) else count)
    return lift(_Arrays(contents.name, count, iter(columns)).of(element))


def flattened_rows(contents: StagedElements) -> Tensor | None:
    """``np.concatenate`` of a list of lists of numbers; ``None`` if it is no such list."""
    if not isinstance(contents.element, RowOf):
        return None
    table = table_of(contents.element.number)
    is_flat = isinstance(table.kind, ListKind) and isinstance(table.element, LeafType)
    if not is_flat or table.element.shape:  # type: ignore[union-attr]
        return None
    count = contents.count()
    require(compare("greater", lift(count), 0), ValueError, "need at least one array to concatenate")
    (numbers,) = contents.stacked(None if isinstance(count, Tensor) else count)
    return array_of(_joined_rows(table, numbers, count, None))


class _Arrays:
    """The arrays of the leaves of a list's elements, and what they are together.

    Attributes:
        name: The list, for messages.
        count: How many elements it has.
        columns: The arrays that are not yet taken.
    """

    def __init__(self, name: str, count: int | Tensor, columns: Iterator[Tensor]) -> None:
        self.name = name
        self.count = count
        self.columns = columns

    def of(self, element: Any) -> Any:
        """The array of elements of a type."""
        if isinstance(element, LeafType):
            return next(self.columns)
        if isinstance(element, ComplexOf):
            return element.rebuild([next(self.columns), next(self.columns)])
        if isinstance(element, UnionOf):
            return self._numbers(element)
        if isinstance(element, TupleOf) and element.like is None:
            return self._stacked([self.of(part) for part in element.parts])
        if isinstance(element, OptionalOf) and element.inner is not None:
            present = next(self.columns)
            require(lift(np.all(present)), "GraphValueError", _NONE)
            return self.of(element.inner)
        if isinstance(element, Static) and is_python_scalar(element.value):
            return np.full(self.count, element.value)
        if isinstance(element, RowOf):
            return self._rows(table_of(element.number))
        raise _refusal(_kind_text(element))

    def _numbers(self, element: UnionOf) -> Any:
        """Numbers of several types: an array of them has a dtype that is known if it is that of each."""
        slots, places = slots_of(element.alternatives)
        which, columns = next(self.columns), [self.of(slot) for slot in slots]
        dtypes = {real_part(one.leaf).dtype for one in element.alternatives}
        if len(dtypes) > 1 or any(isinstance(slot, ComplexOf) or slot.shape for slot in slots):
            raise _refusal(
                f"{element}", "NumPy chooses a dtype by those that are there", "convert them: `float(x)`"
            )
        (dtype,) = dtypes
        result: Any = None
        for position, (one, place) in enumerate(zip(element.alternatives, places, strict=True)):
            is_known = one.constants is not None and len(one.constants) == 1
            column = np.full(self.count, plain_constant(one), dtype) if is_known else columns[place or 0]
            result = column if result is None else np.where(which == position, column, result)
        return result

    def _stacked(self, parts: list[Any]) -> Any:
        shapes = [part.shape[1:] for part in parts]
        sizes = [{size for size in axis if isinstance(size, int)} for axis in zip(*shapes, strict=False)]
        if len({len(shape) for shape in shapes}) > 1 or any(len(known) > 1 for known in sizes):
            raise ValueError(_INHOMOGENEOUS)
        return np.stack(parts, axis=1)

    def _rows(self, table: ObjectTable) -> Any:
        """Lists of one length, or the run fails."""
        if not isinstance(table.kind, ListKind):
            raise _refusal(f"{table.kind.kind.__name__} objects")
        numbers = next(self.columns)
        length = _row(table, numbers[0]).current().count()
        flat = array_of(_joined_rows(table, numbers, self.count, length))
        return np.reshape(flat, (self.count, length, *flat.shape[1:]))


def _row(table: ObjectTable, number: Tensor) -> Any:
    from autograph.staging.object_lists import ListReference

    return ListReference(table, wrap(lift(number).read(), Kind.PYTHON))


def _joined_rows(table: ObjectTable, numbers: Tensor, count: Any, length: Any) -> StagedElements:
    """The elements of the lists at these rows, one behind the other; all of a length, if it is given."""
    from autograph.staging.loops import stage_for
    from autograph.staging.state import NO_VARIABLES
    from autograph.staging.traced_list import scratch_list

    flat: Any = scratch_list(empty(table.element, table.called()))

    def add(position: Tensor) -> None:
        row = _row(table, numbers[position])
        if length is not None:
            require(compare("equal", row.current().count(), length), ValueError, _INHOMOGENEOUS)
        flat.extend(row)

    stage_for(count, lambda position: position, None, add, NO_VARIABLES)
    return flat.current()  # type: ignore[no-any-return]


def _kind_text(element: Any) -> str:
    if isinstance(element, Static):
        return f"a {type(element.value).__name__}"
    if isinstance(element, OptionalOf):
        return "None"
    return "a value that may be unbound" if isinstance(element, Undefined) else "an object"


def _refusal(
    what: str,
    why: str = "NumPy makes one of objects",
    remedy: str = "put the numbers into a list of their own",
) -> Exception:
    return staging_error("AG120", f"a list that holds {what} has no array in a graph: {why}", remedy)
