"""Refuses arrays of dtype object that hold staged values: NumPy makes them from classes it does not know.

np.append(point, 1)        # array([Box(value=1.5), 1], dtype=object), whatever the object is
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph._src.articles import with_article
from autograph._src.backends.protocol import backend_among, backend_of, type_name
from autograph._src.staging.trace.active import staging_error
from autograph._src.staging.trace.references import is_reference


def without_objects(function: Callable[..., Any] | np.ufunc, result: Any) -> object:
    """The result of a NumPy function, unchanged.

    Raises:
        StagingError: If the result is, or contains, an array of dtype object with staged elements.
    """
    is_several = issubclass(type(result), (tuple, list)) and backend_of(result) is None
    for one in result if is_several else (result,):
        if issubclass(type(one), np.ndarray) and one.dtype == object:
            found = [held for held in one.flat if _may_hold_staged(held)]
            if found:
                raise staging_error(
                    "AG105",
                    f"`{function.__name__}` would make an array of objects of"
                    f" {with_article(type_name(found[0]))}",
                    "put numbers or arrays into it",
                )
    return result


def _may_hold_staged(value: object) -> bool:
    """Whether an object is staged, is a container, or has a staged attribute."""
    if backend_of(value) is not None or is_reference(value) or isinstance(value, (list, tuple, dict, set)):
        return True
    attributes = getattr(value, "__dict__", None)
    return isinstance(attributes, dict) and backend_among(attributes.values()) is not None
