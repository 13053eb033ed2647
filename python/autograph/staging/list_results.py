"""Plain values of what a graph gave out: a number, an array, the elements of a list.

>>> import numpy as np
>>> plain_value(Kind.PYTHON, np.array(3))
3
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autograph.records.nodes import Nodes
from autograph.staging.leaf_types import (
    Alternative,
    ComplexOf,
    LeafKind,
    LeafType,
    NodeOf,
    OptionalOf,
    RaggedOf,
    RowOf,
    Static,
    TupleOf,
    UnionOf,
)
from autograph.staging.tensor import Kind


def plain_value(kind: Kind, array: NDArray[Any]) -> Any:
    """The Python value of an array that a graph gave out."""
    if kind is Kind.PYTHON:
        return array.item()
    return array[()] if kind is Kind.SCALAR else array


def plain_elements(
    element: LeafKind, columns: Iterator[NDArray[Any]], nodes: Nodes | None = None
) -> list[Any]:
    """The elements of a list that a graph gave out.

    Args:
        element: Their type.
        columns: For each leaf of an element an array, the elements along its first axis; only what
            the type needs is taken.
        nodes: The objects that rows of a table stand for.
    """
    if isinstance(element, NodeOf):
        assert nodes is not None
        return [nodes.at(row) for row in next(columns).tolist()]
    if isinstance(element, RaggedOf):
        return _plain_arrays(element.inner, columns)
    if isinstance(element, RowOf):
        objects = columns.objects[element.number]  # type: ignore[attr-defined]
        return [object_at(objects, row) for row in next(columns).tolist()]
    if isinstance(element, LeafType):
        return _plain_column(element.kind, next(columns))
    if isinstance(element, OptionalOf):
        present = next(columns).tolist()
        values = (
            [None] * len(present) if element.inner is None else plain_elements(element.inner, columns, nodes)
        )
        return [value if is_present else None for is_present, value in zip(present, values, strict=True)]
    if isinstance(element, UnionOf):
        return _plain_union(element, columns)
    assert isinstance(element, TupleOf)
    parts = [one if isinstance(one, Static) else plain_elements(one, columns, nodes) for one in element.parts]
    count = next(len(part) for part in parts if isinstance(part, list))
    filled = [[part.value] * count if isinstance(part, Static) else part for part in parts]
    return [element.rebuild(list(row)) for row in zip(*filled, strict=True)]


def _plain_union(element: UnionOf, columns: Iterator[NDArray[Any]]) -> list[Any]:
    """Numbers of one type or of another: which they are, and the slots that hold them."""
    from autograph.staging.union_types import slots_of

    slots, places = slots_of(element.alternatives)
    which = next(columns).tolist()
    held = [plain_elements(slot, columns) for slot in slots]
    values = []
    for row, position in enumerate(which):
        place = places[position]
        content = None if place is None else held[place][row]
        values.append(_plain_alternative(element.alternatives[position], content))
    return values


def _plain_alternative(one: Alternative, content: Any) -> Any:
    """The plain value of an alternative, of what its slot holds."""
    from autograph.staging.union_types import plain_constant

    if one.constants is not None and len(one.constants) == 1:
        return plain_constant(one)
    if isinstance(one.leaf, ComplexOf) or one.leaf.kind is Kind.ARRAY:
        return content
    return plain_value(one.leaf.kind, np.asarray(content, one.leaf.dtype))


def object_at(objects: list[Any], row: int) -> Any:
    """The object of a row, of which there may be none where the value is ``None``."""
    return objects[row] if row < len(objects) else None


def _plain_arrays(kind: LeafType, columns: Iterator[NDArray[Any]]) -> list[Any]:
    """Arrays of sizes that only the run knew: how long each is, all rows, and the sizes beside them."""
    lengths, rows = next(columns), next(columns)
    arrays: list[Any] = []
    if len(lengths):
        arrays = [part.copy() for part in np.split(rows, np.cumsum(lengths)[:-1])]
    if None not in kind.shape[1:]:
        return arrays
    sizes = [next(columns).tolist() for size in kind.shape if size is None]
    shapes = zip(*sizes, strict=True)
    return [array.reshape(_filled(kind.shape, shape)) for array, shape in zip(arrays, shapes, strict=True)]


def _filled(shape: tuple[int | None, ...], open_sizes: tuple[int, ...]) -> tuple[int, ...]:
    rest = iter(open_sizes)
    return tuple(next(rest) if size is None else size for size in shape)


def holds_nodes(element: LeafKind) -> bool:
    """Whether elements of a type are nodes, or tuples with nodes in them."""
    if isinstance(element, TupleOf):
        return any(map(holds_nodes, element.parts))
    if isinstance(element, OptionalOf):
        return element.inner is not None and holds_nodes(element.inner)
    return isinstance(element, NodeOf)


def _plain_column(kind: Kind, column: NDArray[Any]) -> list[Any]:
    if kind is Kind.PYTHON:
        return column.tolist()  # type: ignore[no-any-return]
    return list(column) if kind is Kind.SCALAR else [np.array(row) for row in column]
