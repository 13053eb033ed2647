"""The kind of arrays with data-dependent sizes as elements of staged lists.

    parts.append(x[mask])      # arrays of several lengths: a list of lists of numbers in the graph

The elements of a list of the graph all have one type, which arrays of several sizes do not have. An array
whose first size alone is unknown is stored as a list of its rows. An array with other unknown sizes is
stored as a flat list of its elements, followed by those sizes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from autograph._src.dtype_names import dtype_name
from autograph._src.staging.kinds.numbers import NumberKind
from autograph._src.staging.kinds.value_kind import Paths, ValueKind, join
from autograph._src.staging.tensors.lifting import constant
from autograph._src.staging.tensors.tensor import Tensor, emit, wrap
from autograph._src.staging.trace.recorder import GraphType, Value

if TYPE_CHECKING:
    from autograph._src.staging.control.journal import Reads
    from autograph._src.staging.kinds.tensor_of import TensorOf
    from autograph._src.staging.objects.nodes_of_call import Nodes


@dataclass(frozen=True)
class RaggedOf(ValueKind):
    """The kind of an element of a staged list that is an array with sizes that only the run knows.

    Attributes:
        inner: The type of the array.
    """

    inner: TensorOf
    may_be_none = True

    @classmethod
    def joined(cls, name: str, left: ValueKind, right: ValueKind, where: Paths) -> ValueKind | None:
        """The join of both array types, as an element kind."""
        if not is_ragged(left) and not is_ragged(right):
            return None
        return join(name, array_type(left), array_type(right), where).in_list()

    def in_words(self) -> str:
        """The description of the array."""
        return self.inner.in_words()

    def graph_types(self) -> list[GraphType]:
        """A list of rows, or a flat list of elements and the unknown sizes."""
        shape = self.inner.shape
        rows = list(shape[1:]) if self.has_rows() else []
        sizes: list[GraphType] = [] if self.has_rows() else [("int64", [])] * shape.count(None)
        return [("list", (dtype_name(self.inner.dtype), rows)), *sizes]

    def pack(self, value: object, reads: Reads | None = None) -> list[Value]:
        """The list, then the unknown sizes if it is flat."""
        array = self.inner.pack(value, reads)[0]
        if self.has_rows():
            return [emit("list_unstack", array)]
        axes = [axis for axis, size in enumerate(self.inner.shape) if size is None]
        sizes = [emit("size", array, axis) for axis in axes]
        flat = emit("reshape", array, [None], [constant(-1, "int64").read()])
        return [emit("list_unstack", flat), *sizes]

    def unpack(self, values: list[Value], name: str) -> Tensor:
        """The array, stacked from the list."""
        array = emit("list_stack", values.pop(0))
        if not self.has_rows():
            sizes = [values.pop(0) for _ in range(self.inner.shape.count(None))]
            array = emit("reshape", array, list(self.inner.shape), sizes)
        return wrap(array, self.inner.form)

    def plain(self, columns: Iterator[NDArray[Any]], nodes: Nodes | None = None) -> list[Any]:
        """The arrays, from columns with their lengths, all rows, and the unknown sizes."""
        lengths, rows = next(columns), next(columns)
        arrays: list[Any] = []
        if len(lengths):
            arrays = [part.copy() for part in np.split(rows, np.cumsum(lengths)[:-1])]
        if self.has_rows():
            return arrays
        shape = self.inner.shape
        sizes = [next(columns).tolist() for size in shape if size is None]
        shapes = zip(*sizes, strict=True)
        return [array.reshape(_filled(shape, open_)) for array, open_ in zip(arrays, shapes, strict=True)]

    def has_rows(self) -> bool:
        """Whether only the first size is unknown."""
        return None not in self.inner.shape[1:]


def array_type(element: ValueKind) -> ValueKind:
    """The kind of a variable bound to an element: the array type for a ragged element."""
    if isinstance(element, RaggedOf):
        return element.inner
    return element.with_part(element.part) if _is_parted(element) else element  # type: ignore[attr-defined]


def is_ragged(element: ValueKind) -> bool:
    """Whether an element is such an array, of complex numbers and narrow dtypes too."""
    return isinstance(element.inside()[0] if _is_parted(element) else element, RaggedOf)


def _is_parted(element: ValueKind) -> bool:
    return isinstance(element, NumberKind) and element.is_parted


def _filled(shape: tuple[int | None, ...], open_sizes: tuple[int, ...]) -> tuple[int, ...]:
    rest = iter(open_sizes)
    return tuple(next(rest) if size is None else size for size in shape)
