"""Results of one row that are lists, dicts and dataclasses which the run makes, and the results of all rows.

return xs                   # a list of each row: `k` values, as many in every row
[array, array, …]           # of all rows: `k` arrays, with the rows along an axis
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from autograph._src.staging.kinds.numbers import NumberKind
from autograph._src.staging.kinds.tensor_of import TensorOf
from autograph._src.staging.kinds.tuple_of import TupleOf
from autograph._src.staging.kinds.value_kind import ValueKind
from autograph._src.staging.lists.list_contents import StagedElements
from autograph._src.staging.lists.list_lengths import unknown
from autograph._src.staging.lists.traced_list import StagedList, staged_list
from autograph._src.staging.objects.object_fields import read_field
from autograph._src.staging.tensors.tensor import Form, Tensor, emit
from autograph._src.staging.trace.active import require_trace, staging_error
from autograph._src.staging.trace.object_sites import RecordKind
from autograph._src.staging.trace.record_trees import record_of
from autograph._src.staging.trace.references import is_reference


def tree_at_row(value: object) -> object:
    """A dict or dataclass that is a row of a table as a tree of its fields; other values as they are."""
    if not is_reference(value) or isinstance(value, StagedList):
        return value
    kind = value.ag_table.kind
    assert isinstance(kind, RecordKind)
    is_tree = kind.is_of_dicts() or dataclasses.is_dataclass(kind.of_class)
    if not is_tree or any(part.tables() for part in kind.types):
        return value  # It may refer to itself.
    return record_of(kind.word, [(name, read_field(value, name)) for name in kind.names])


@dataclass
class ListOfRow:
    """A list that one row returns, with a length that the run knows.

    Attributes:
        element: The kind of the elements.
        values: The graph lists, one for each leaf of an element.
        name: The list, for messages.
    """

    element: ValueKind
    values: tuple[int, ...]
    name: str

    @classmethod
    def of(cls, value: StagedList) -> ListOfRow:
        """The list as the result of a row.

        Raises:
            StagingError: If its elements are not numbers, arrays, or tuples of them (AG145).
        """
        contents = value.current()
        element, values = contents.element, contents.read()
        if not _is_of_arrays(element):
            raise staging_error(
                "AG145",
                f"vmap of a function that returns a list that holds {element.in_words()}",
                "return a list of arrays or numbers, or tuples of them",
            )
        return cls(element, values, contents.name)

    def of_rows(self, found: Iterator[tuple[int, bool]], axis: int | None, size: Any) -> object:
        """The list for all rows: its elements have the rows along an axis.

        Args:
            found: Of each graph list that for all rows, and whether rows differ.
            axis: The axis; ``None`` for a list that is the same for all rows.
            size: How many rows there are.
        """
        pairs = [next(found) for _ in self.values]
        if axis is None:
            if any(is_batched for _, is_batched in pairs):
                raise staging_error(
                    "AG144", "vmap has out_axes None for a result that is not the same for all rows"
                )
            return staged_list(self._contents(self.element, [value for value, _ in pairs]))
        values = [_along(value, is_batched, axis, size) for value, is_batched in pairs]
        builder = require_trace().builder
        sizes = iter([tuple(builder.type_of(value)[1][1]) for value in values])
        return staged_list(self._contents(_with_sizes(self.element, sizes), values))

    def _contents(self, element: ValueKind, values: list[int]) -> StagedElements:
        return StagedElements(element, tuple(values), unknown(), self.name)


def _is_of_arrays(element: ValueKind) -> bool:
    if isinstance(element, NumberKind) and not element.has_arrays:
        return False
    if isinstance(element, TupleOf):
        return all(map(_is_of_arrays, element.inside()))
    return type(element) is TensorOf and not element.may_be_unbound


def _with_sizes(element: ValueKind, sizes: Iterator[tuple[int | None, ...]]) -> ValueKind:
    """The kind of elements whose arrays have these sizes."""
    if isinstance(element, TupleOf):
        return element.with_inside(lambda part: _with_sizes(part, sizes))
    assert isinstance(element, TensorOf)
    return replace(element, shape=next(sizes), form=Form.ARRAY, constants=None)


def _along(value: int, is_batched: bool, axis: int, size: Any) -> int:
    """A graph list whose arrays have the rows along an axis."""
    if is_batched and axis == 0:
        return value
    stacked: Any = Tensor(require_trace(), emit("list_stack", value, None), Form.ARRAY)
    if not is_batched:
        count, *sizes = np.shape(stacked)
        stacked = np.broadcast_to(np.expand_dims(stacked, 1), (count, size, *sizes)).copy()
    # The axes of an element come after that of the list.
    place = axis + 1 if axis >= 0 else axis
    return emit("list_unstack", np.moveaxis(stacked, 1, place).read())
