"""Converts arrays that a graph returned to plain numbers, arrays and objects.

>>> import numpy as np
>>> plain_value(Form.PYTHON, np.array(3))
3
"""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from autograph._src.staging.tensors.tensor import Form


def plain_value(form: Form, array: NDArray[Any]) -> Any:
    """The plain value of an array that a graph returned."""
    if form is Form.PYTHON:
        return array.item()
    return array[()] if form is Form.SCALAR else array


def object_at(objects: list[Any], row: int) -> object:
    """The object at a row; ``None`` if there is no such row, as for a value that is ``None``."""
    return objects[row] if row < len(objects) else None
