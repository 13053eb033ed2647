"""Plain values of what a graph gave out: a number, an array, the elements of a list.

>>> import numpy as np
>>> plain_value(Kind.PYTHON, np.array(3))
3
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from numpy.typing import NDArray

from autograph.staging.leaf_types import LeafKind, LeafType, OptionalOf, Static, TupleOf
from autograph.staging.tensor import Kind


def plain_value(kind: Kind, array: NDArray[Any]) -> Any:
    """The Python value of an array that a graph gave out."""
    if kind is Kind.PYTHON:
        return array.item()
    return array[()] if kind is Kind.SCALAR else array


def plain_elements(element: LeafKind, columns: Iterator[NDArray[Any]]) -> list[Any]:
    """The elements of a list that a graph gave out.

    Args:
        element: Their type.
        columns: For each leaf of an element an array, the elements along its first axis; only what
            the type needs is taken.
    """
    if isinstance(element, LeafType):
        return _plain_column(element.kind, next(columns))
    if isinstance(element, OptionalOf):
        present = next(columns).tolist()
        values = [None] * len(present) if element.inner is None else plain_elements(element.inner, columns)
        return [value if is_present else None for is_present, value in zip(present, values, strict=True)]
    assert isinstance(element, TupleOf)
    parts = [one if isinstance(one, Static) else plain_elements(one, columns) for one in element.parts]
    count = next(len(part) for part in parts if isinstance(part, list))
    filled = [[part.value] * count if isinstance(part, Static) else part for part in parts]
    return [element.rebuild(list(row)) for row in zip(*filled, strict=True)]


def _plain_column(kind: Kind, column: NDArray[Any]) -> list[Any]:
    if kind is Kind.PYTHON:
        return column.tolist()  # type: ignore[no-any-return]
    return list(column) if kind is Kind.SCALAR else [row.copy() for row in column]
