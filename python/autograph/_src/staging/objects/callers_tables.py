"""Dicts of the caller that the run asks for keys of its own: columns of keys and of values.

    def squares(cache, n):          # cache: {3: 9, 4: 16}
        for k in range(n):
            if k not in cache:      # `k` is staged
                cache[k] = k * k    # [3, 4] and [9, 16] are arguments of the graph

Keys are numbers of one type, or tuples of such, and so are values. Of which type they are is part of what
tells one graph from another; what they are, and how many, is not.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autograph._src.operators.places import fill_dict

_DTYPES: dict[type, type[np.generic]] = {
    int: np.int64,
    float: np.float64,
    bool: np.bool_,
    np.int64: np.int64,
    np.float64: np.float64,
    np.bool_: np.bool_,
}
"""The types of numbers in keys and values, with the dtypes of their columns."""

Manner = Any
"""The type of all keys, or of all values: a class, or a tuple of these."""


def manner_of(values: Iterable[Any]) -> Manner:
    """What all values are; ``None`` for none, or if they are of several types, or of another one.

    >>> manner_of([1, 2]), manner_of([(1, 2.0), (3, 4.0)]), manner_of([1, 2.0])
    (<class 'int'>, (<class 'int'>, <class 'float'>), None)
    """
    found = {_manner(value) for value in values}
    return found.pop() if len(found) == 1 else None


def _manner(value: Any) -> Manner:
    kind = type(value)
    if kind is tuple and value:
        parts = tuple(map(_manner, value))
        return None if None in parts else parts
    if kind is int and not -(2**63) <= value < 2**63:
        return None
    return kind if kind in _DTYPES else None


def columns_of(manner: Any, values: list[Any]) -> list[NDArray[Any]]:
    """One array for each number of a value."""
    if isinstance(manner, tuple):
        return [
            column
            for part, values_of_part in zip(manner, zip(*values, strict=True), strict=True)
            for column in columns_of(part, list(values_of_part))
        ]
    return [np.array(values, _DTYPES[manner])]


def sample_of(manner: Any) -> Any:
    """A value of this kind."""
    return tuple(map(sample_of, manner)) if isinstance(manner, tuple) else manner(0)


def can_be_keys(keys: Iterable[Any]) -> bool:
    """Whether no key is a nan, which a dict finds again by its identity."""
    return not any(isinstance(key, float) and math.isnan(key) for one in keys for key in _numbers(one))


def _numbers(key: Any) -> list[Any]:
    return [number for part in key for number in _numbers(part)] if isinstance(key, tuple) else [key]


def fill_table(one: dict[Any, Any], items: list[tuple[Any, Any]]) -> None:
    """Gives a dict of the caller the items that a run has left, with the keys and values that it kept.

    Args:
        one: The dict.
        items: The items, in order.
    """
    before = {key: (key, value) for key, value in one.items()}
    after = []
    for key, value in items:
        old_key, old_value = before.get(key, (key, value))
        after.append((_kept(old_key, key), _kept(old_value, value)))
    keys = [key for key, _ in after]
    left = {id(key) for key in keys}
    order = [key for key in one if id(key) in left]
    if len(order) <= len(keys) and all(left is right for left, right in zip(order, keys, strict=False)):
        for key in [key for key in one if id(key) not in left]:
            del one[key]
        for key, value in after:
            if key not in one or one[key] is not value:
                one[key] = value
    else:
        fill_dict(one, after)


def _kept(old: Any, new: Any) -> Any:
    """The caller's own number, or tuple, where the run has not given it another value or type."""
    return old if _manner(old) == _manner(new) and repr(old) == repr(new) else new
