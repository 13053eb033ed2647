"""Look-ups by a staged number in a dict, set or range whose keys are plain: a comparison with each key.

    PRICES = {1: 2.5, 5: 0.75}
    PRICES[kind]                 # 2.5 if kind == 1 else 0.75 if kind == 5 else a KeyError
    PRICES.get(kind, 0.0)
    kind in {1, 5}

Equal numbers have equal hashes, so that comparing is looking up, where a comparison converts neither side.
A key that the class of the number cannot hold is equal to none of its values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from autograph._src.backends.protocol import active_backend, backend_of, reads
from autograph._src.operators.calls import TABLE_CALLS, converted_call
from autograph._src.operators.logic import AMONG, and_, if_exp, or_

MOST_KEYS = 64
"""Larger tables are refused, as they are by the back-end: an array is the faster table."""

_EXACT = 2**53
"""Integers up to this one are floats too."""

_NO_NUMBERS = (str, bytes, type(None))


def _keys_of(table: Iterable[Any], key: object) -> list[Any] | None:
    """The keys that may be equal to a staged number; ``None`` if the look-up is not one of comparisons."""
    backend = backend_of(key)
    kind: Any = None if backend is None else backend.plain_class(key)
    keys = list(table)
    is_number = isinstance(kind, type) and issubclass(
        kind, (bool, int, float, np.integer, np.floating, np.bool_)
    )
    if not is_number or len(keys) > MOST_KEYS:
        return None
    found = []
    for one in keys:
        if type(one) in _NO_NUMBERS:
            continue
        if type(one) not in (bool, int, float):
            return None
        if abs(one) > _EXACT:
            return None
        if _can_be(one, kind):
            found.append(one)
    return found


def _can_be(key: Any, kind: Any) -> bool:
    """Whether a value of a class of numbers can be equal to a key."""
    try:
        return bool(float(kind(key)) == key)
    except (OverflowError, ValueError):  # NumPy raises for an integer out of bounds, Python for `int(nan)`.
        return False


def _equal(key: Any, one: Any) -> Any:
    """Whether a staged number is equal to a key, as a Python bool."""
    is_of_ints = float(one).is_integer()
    return converted_call(bool, key == (int(one) if is_of_ints else one))


def looked_up(table: dict[Any, Any], key: Any, missing: Callable[[], Any]) -> Any:
    """``table[key]``, or what `missing` gives; ``NotImplemented`` if the back-end is to look it up."""
    keys = _keys_of(table, key) if type(table) is dict and active_backend() is not None else None
    if keys is None:
        return NotImplemented
    reads(table)
    return _first(table, key, keys, missing)


def _first(table: dict[Any, Any], key: Any, keys: list[Any], missing: Callable[[], Any]) -> Any:
    if not keys:
        return missing()
    return if_exp(_equal(key, keys[0]), lambda: table[keys[0]], lambda: _first(table, key, keys[1:], missing))


def item_of(table: dict[Any, Any], key: Any) -> Any:
    """``table[key]``; the run raises a ``KeyError`` where there is none."""

    def missing() -> Any:
        raise KeyError(key)

    return looked_up(table, key, missing)


def _get(table: dict[Any, Any], key: Any, default: Any = None) -> Any:
    return looked_up(table, key, lambda: default)


TABLE_CALLS["get"] = _get


def is_among(key: Any, table: Any) -> Any:
    """``key in table`` of a set, dict or range; ``NotImplemented`` if the back-end is to look it up."""
    if type(table) is range:
        return _is_in_range(key, table)
    keys = _keys_of(table, key) if type(table) in (set, frozenset, dict) else None
    if keys is None:
        return NotImplemented
    reads(table)
    return or_(False, *[lambda one=one: _equal(key, one) for one in sorted(keys)])


def _is_in_range(key: Any, items: range) -> Any:
    backend = backend_of(key)
    if backend is None or backend.plain_class(key) not in (int, np.int64):
        return NotImplemented
    first, last = sorted((items[0], items[-1])) if items else (1, 0)
    return and_(
        converted_call(bool, key >= first),
        lambda: converted_call(bool, key <= last),
        lambda: converted_call(bool, (key - first) % abs(items.step) == 0),
    )


AMONG.update(dict.fromkeys((set, frozenset, dict, range), is_among))
