"""Arguments that are indices: ``np.take(a, xs)``. NumPy makes index arrays of lists, of an empty one too."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph._src.own_attributes import has_own

_PLACES: tuple[tuple[object, slice, str], ...] = (
    (np.take, slice(1, 2), "indices"),
    (np.delete, slice(1, 2), "obj"),
    (np.put, slice(1, 2), "ind"),
    (np.bincount, slice(0, 1), "x"),
    (np.ix_, slice(0, None), ""),
)
"""A function, where its indices stand among its arguments, and their keyword."""


def as_index_array(value: Any) -> Any:
    """A staged list as an index array or a mask; any other value unchanged."""
    return value.indices() if has_own(value, "indices") else value


def with_index_arrays(
    function: object, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments of a call with each staged list of indices as an array."""
    found = next((row for row in _PLACES if row[0] is function), None)
    if found is None:
        return args, kwargs
    _, places, keyword = found
    taken = range(len(args))[places]
    given = [as_index_array(value) if place in taken else value for place, value in enumerate(args)]
    named = {name: as_index_array(value) if name == keyword else value for name, value in kwargs.items()}
    return tuple(given), named
