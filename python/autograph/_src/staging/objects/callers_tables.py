"""Dicts and sets of the caller that the run asks for keys of its own: columns of keys and of values.

    def squares(cache, n):          # cache: {3: 9, 4: 16}
        for k in range(n):
            if k not in cache:      # `k` is staged
                cache[k] = k * k    # [3, 4] and [9, 16] are arguments of the graph

Keys are numbers, or tuples of such, and so are values. Of which types they are is part of what tells one
graph from another; what they are, and how many, is not. Sets of the caller are columns of keys.
"""

from __future__ import annotations

import itertools
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
"""The type of a key or value: a class, or a tuple of these."""


def _manner(value: Any) -> Manner:
    """What a value is; ``None`` if it is neither a number nor a tuple of numbers."""
    kind = type(value)
    if kind is tuple and value:
        parts = tuple(map(_manner, value))
        return None if None in parts else parts
    if kind is int and not -(2**63) <= value < 2**63:
        return None
    return kind if kind in _DTYPES else None


_MOST_RUNS = 8
"""How many runs of keys of one type there are in a dict that a graph takes: each is a loop of the graph."""


def runs_of(value: Any) -> list[tuple[tuple[Manner, ...], list[list[Any]]]] | None:
    """The keys of a set, or the keys and values of a dict, in runs of one type each.

    Args:
        value: The dict, in whose order the runs are, or the set, in which each type is one run.

    Returns:
        For each run the types, and the keys, or keys and values; ``None`` if a graph cannot take them.

    Example:
        >>> runs_of({1: 2, 3: 4.0})
        [((<class 'int'>, <class 'int'>), [[1], [2]]), ((<class 'int'>, <class 'float'>), [[3], [4.0]])]
    """
    if not can_be_keys(value):
        return None
    items = [(key,) for key in value] if isinstance(value, set) else list(value.items())
    typed = [(tuple(map(_manner, item)), item) for item in items]
    if any(None in manners for manners, _ in typed):
        return None
    if isinstance(value, set):
        first = list(dict.fromkeys(manners for manners, _ in typed))
        typed.sort(key=lambda one: first.index(one[0]))
    runs = [
        (manners, [list(column) for column in zip(*(item for _, item in run), strict=True)])
        for manners, run in itertools.groupby(typed, key=lambda one: one[0])
    ]
    return runs if len(runs) <= _MOST_RUNS else None


def what_is_in_the_way(value: Any) -> tuple[str, str]:
    """Why a graph cannot take a dict or set, whose runs are ``None``, and what to write instead.

    Example:
        >>> what_is_in_the_way({1: 2, "a": 3})[0]
        "the key 'a' is no number"
    """
    name = "set" if isinstance(value, set) else "dict"
    of_its_own = f"keep the keys that are numbers in a {name} of their own"
    if not can_be_keys(value):
        return "the key nan is found again by its identity only", "take the key out"
    keys = [key for key in value if _manner(key) is None]
    if keys:
        return f"the key {min(map(_called, keys))} is {_no_number(keys)}", of_its_own
    for key, one in () if name == "set" else value.items():
        if _manner(one) is None:
            words = f"the value {_called(one)} of the key {_called(key)} is {_no_number([one])}"
            return words, "keep such values in a list, and in the dict their places in it"
    return f"its keys and values have more than {_MOST_RUNS} times another type", "give them one type"


def _called(value: Any) -> str:
    is_plain = type(value) in (str, bytes, int, float, bool, type(None)) or _manner(value) is not None
    text = repr(value) if is_plain else f"of class {type(value).__name__}"
    return text if len(text) <= 40 else f"{text[:40]}…"


def _no_number(values: list[Any]) -> str:
    is_wide = all(type(one) is int for one in values)
    return "wider than 64 bits" if is_wide else "no number"


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


def change_set(one: set[Any], log: list[Any], counts: list[int]) -> None:
    """Changes a set of the caller as a run has changed what stands for it, one key after another.

    Args:
        one: The set, as the run has found it.
        log: The keys that it held at first, and each that was added or removed since, or since ``clear``.
        counts: Of what stands for it; the last one tells whether it was cleared.
    """
    begun = len(one)
    if counts[-1]:
        one.clear()
        begun = 0
    for key in log[begun:]:
        if key in one:
            one.remove(key)
        else:
            one.add(key)


def _kept(old: Any, new: Any) -> Any:
    """The caller's own number, or tuple, where the run has not given it another value or type."""
    return old if _manner(old) == _manner(new) and repr(old) == repr(new) else new
