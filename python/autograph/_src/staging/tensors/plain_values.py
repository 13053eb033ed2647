"""Plain values of what a graph gave out: a number, an array, an object.

>>> import numpy as np
>>> plain_value(Kind.PYTHON, np.array(3))
3
"""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from autograph._src.staging.tensors.tensor import Kind


def plain_value(kind: Kind, array: NDArray[Any]) -> Any:
    """The Python value of an array that a graph gave out."""
    if kind is Kind.PYTHON:
        return array.item()
    return array[()] if kind is Kind.SCALAR else array


def object_at(objects: list[Any], row: int) -> object:
    """The object of a row, of which there may be none where the value is ``None``."""
    return objects[row] if row < len(objects) else None
