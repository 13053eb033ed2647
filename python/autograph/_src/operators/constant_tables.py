"""Look-ups by a staged number in a dict, set or range whose keys are plain: a comparison with each key.

    PRICES = {1: 2.5, 5: 0.75}
    PRICES[kind]                 # 2.5 if kind == 1 else 0.75 if kind == 5 else a KeyError
    PRICES.get(kind, 0.0)
    kind in {1, 5}
    (row, 1) in {(0, 1), (2, 2)}  # row == 0

Equal numbers have equal hashes, so that comparing is looking up, where a comparison converts neither side.
A key that the class of the number cannot hold is equal to none of its values.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np

from autograph._src.backends.protocol import active_backend, backend_of, reads
from autograph._src.operators.calls import TABLE_CALLS, converted_call
from autograph._src.operators.logic import AMONG, and_, any_of, if_exp

MOST_KEYS = 64
"""Larger tables are refused, as they are by the back-end: an array is the faster table."""

_MOST_IN_CHAIN = 16
"""The most branches inside of each other: of more keys the halves are two branches."""

_EXACT = 2**53
"""Integers up to this one are floats too."""

_NO_NUMBERS = (str, bytes, type(None))
_PLAIN = (bool, int, float, *_NO_NUMBERS)


def is_staged_key(key: object) -> bool:
    """Whether a key is staged, or a tuple with a staged part."""
    return backend_of(key) is not None or (type(key) is tuple and any(map(is_staged_key, key)))


def _keys_of(table: Iterable[Any], key: object) -> list[Any] | None:
    """The keys that may be equal to a staged one; ``None`` if the look-up is not one of comparisons."""
    keys = list(table)
    if len(keys) > MOST_KEYS or not _is_of_numbers(key):
        return None
    found = []
    for one in keys:
        may_be = _may_be_equal(key, one)
        if may_be is None:
            return None
        if may_be:
            found.append(one)
    return found


def _is_of_numbers(key: object) -> bool:
    """Whether all that is staged in a key is a number."""
    if type(key) is tuple:
        return all(map(_is_of_numbers, key))
    backend = backend_of(key)
    if backend is None:
        return type(key) in _PLAIN
    kind: Any = backend.plain_class(key)
    return isinstance(kind, type) and issubclass(kind, (bool, int, float, np.integer, np.floating, np.bool_))


def _may_be_equal(key: Any, one: Any) -> bool | None:
    """Whether a key may be equal to one of a table; ``None`` if comparing the two is no look-up."""
    if type(key) is tuple:
        if type(one) is not tuple or len(one) != len(key):
            return False if type(one) in (tuple, *_PLAIN) else None
        parts = [_may_be_equal(*pair) for pair in zip(key, one, strict=True)]
        return None if None in parts else all(parts)
    backend = backend_of(key)
    if backend is None:
        return bool(key == one) if type(one) in (tuple, *_PLAIN) else None
    if type(one) in (tuple, *_NO_NUMBERS):
        return False
    if type(one) not in (bool, int, float) or abs(one) > _EXACT:
        return None
    return _can_be(one, backend.plain_class(key))


def _can_be(key: Any, kind: Any) -> bool:
    """Whether a value of a class of numbers can be equal to a key."""
    try:
        return bool(float(kind(key)) == key)
    except (OverflowError, ValueError):  # NumPy raises for an integer out of bounds, Python for `int(nan)`.
        return False


def _equal(key: Any, one: Any) -> Any:
    """Whether a staged key is equal to one that it may be equal to, as a Python bool."""
    if type(key) is tuple:
        parts = [pair for pair in zip(key, one, strict=True) if is_staged_key(pair[0])]
        return and_(True, *[lambda pair=pair: _equal(*pair) for pair in parts])
    is_of_ints = float(one).is_integer()
    return converted_call(bool, key == (int(one) if is_of_ints else one))


def looked_up(table: dict[Any, Any], key: Any, missing: Callable[[], Any]) -> Any:
    """``table[key]``, or what `missing` gives; ``NotImplemented`` if the back-end is to look it up."""
    _note_empty(table, key)
    is_looked_up = type(table) is dict and active_backend() is not None and is_staged_key(key)
    keys = _keys_of(table, key) if is_looked_up else None
    if keys is None:
        return NotImplemented
    reads(table)
    return _first(table, key, keys, missing)


def _first(table: dict[Any, Any], key: Any, keys: list[Any], missing: Callable[[], Any]) -> Any:
    if not keys:
        return missing()
    if len(keys) > _MOST_IN_CHAIN:
        half = len(keys) // 2
        return if_exp(
            any_of([partial(_equal, key, one) for one in keys[:half]]),
            lambda: _first(table, key, keys[:half], missing),
            lambda: _first(table, key, keys[half:], missing),
        )
    return if_exp(_equal(key, keys[0]), lambda: table[keys[0]], lambda: _first(table, key, keys[1:], missing))


def _note_empty(table: Any, key: object) -> None:
    """Tells the back-end of a look-up in an empty dict or set, which will be filled with such keys."""
    backend = active_backend()
    if backend is not None and isinstance(table, (dict, set)) and not table and is_staged_key(key):
        backend.has_staged_key(table, key)


def item_of(table: dict[Any, Any], key: Any) -> Any:
    """``table[key]``; the run raises a ``KeyError`` where there is none."""

    def missing() -> Any:
        raise KeyError(key)

    return looked_up(table, key, missing)


def _get(table: dict[Any, Any], key: Any, *default: Any) -> Any:
    if len(default) > 1:
        return NotImplemented  # CPython raises the error.
    return looked_up(table, key, lambda: default[0] if default else None)


TABLE_CALLS[dict, "get"] = _get


def is_among(key: Any, table: Any) -> Any:
    """``key in table`` of a set, dict or range; ``NotImplemented`` if the back-end is to look it up."""
    if not is_staged_key(key):
        return NotImplemented
    _note_empty(table, key)
    if type(table) is range:
        return _is_in_range(key, table)
    keys = _keys_of(table, key) if type(table) in (set, frozenset, dict) else None
    if keys is None:
        return NotImplemented
    reads(table)
    return any_of([partial(_equal, key, one) for one in sorted(keys)])


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


def _is_among_counts(key: Any, table: Any) -> Any:
    """As :func:`is_among`, of a dict of another class: such are not looked up by comparing."""
    backend = active_backend()
    if backend is not None and is_staged_key(key):
        backend.has_staged_key(table, key)
    return NotImplemented


AMONG.update(dict.fromkeys((set, frozenset, dict, range), is_among))
AMONG.update(dict.fromkeys((defaultdict, OrderedDict, Counter), _is_among_counts))
