"""``collections.Counter`` over keys that only the run knows.

Counter(xs).most_common(3)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from autograph._src.operators.calls import converted_call
from autograph._src.policy import request_own
from autograph._src.staging.keyed.dicts import KeyedDict, has_key, is_dict, pairs_of, put
from autograph._src.staging.keyed.elements import Elements
from autograph._src.staging.keyed.entries import found, removed, value_at
from autograph._src.staging.keyed.keyed import Number, Table, Value, new_table, refusal
from autograph._src.staging.trace.running_operator import is_in_place
from autograph._src.staging.trace.statements import contents_differ


class KeyedCounter(KeyedDict):
    """A ``Counter``."""

    __slots__ = ()
    ag_words = "a Counter whose keys depend on data"

    def most_common(self, n: Number = None) -> Value:
        """``Counter.most_common``."""
        pairs = sorted(self.items(), key=_count_of, reverse=True)
        return pairs if n is None else pairs[:n]

    def total(self) -> Value:
        """``Counter.total``."""
        return sum(self.values())

    def update(self, iterable: Table = (), /, **named: Any) -> None:
        """``Counter.update``, which adds."""
        _change(self, iterable, 1)
        for name in named:
            put(self, name, self.get(name, 0) + named[name])

    def subtract(self, iterable: Table = (), /, **named: Any) -> None:
        """``Counter.subtract``."""
        _change(self, iterable, -1)
        for name in named:
            put(self, name, self.get(name, 0) - named[name])

    def copy(self) -> Value:
        """``Counter.copy``."""
        return _changed(keyed_counter(Counter, None, {}), self)

    def elements(self) -> Value:
        """``Counter.elements``."""
        return Elements(self)

    def __pos__(self) -> Value:
        return converted_call(_signed, self, 1)

    def __neg__(self) -> Value:
        return converted_call(_signed, self, -1)

    def __add__(self, other: object) -> Value:
        return _of_counters(_sum, self, other)

    def __sub__(self, other: object) -> Value:
        return _of_counters(_difference, self, other)

    def __or__(self, other: object) -> Value:
        return _of_counters(_union, self, other)

    def __and__(self, other: object) -> Value:
        return _of_counters(_common, self, other)

    def __radd__(self, other: object) -> Value:
        return _of_counters(_sum, self, other, is_reflected=True)

    def __rsub__(self, other: object) -> Value:
        return _of_counters(_difference, self, other, is_reflected=True)

    def __ror__(self, other: object) -> Value:
        return _of_counters(_union, self, other, is_reflected=True)

    def __rand__(self, other: object) -> Value:
        return _of_counters(_common, self, other, is_reflected=True)

    def __iadd__(self, other: Table) -> Value:  # type: ignore[misc]
        return _in_place(_add, self, other)

    def __isub__(self, other: Table) -> Value:  # type: ignore[misc]
        return _in_place(_take, self, other)

    def __ior__(self, other: Table) -> Value:  # type: ignore[misc]
        return _in_place(_raise_to, self, other)

    def __iand__(self, other: Table) -> Value:  # type: ignore[misc]
        return _in_place(_lower_to, self, other)

    def __le__(self, other: object) -> Value:
        return _of_counters(_is_within, self, other)

    def __ge__(self, other: object) -> Value:
        return _of_counters(_is_within, self, other, is_reflected=True)

    def __lt__(self, other: object) -> Value:
        return _of_counters(_is_less, self, other)

    def __gt__(self, other: object) -> Value:
        return _of_counters(_is_less, self, other, is_reflected=True)

    def __eq__(self, other: object) -> Value:
        if not isinstance(other, (Counter, KeyedCounter)):
            return super().__eq__(other)
        table = other if isinstance(other, KeyedCounter) else keyed_counter(Counter, None, other)
        return converted_call(_are_equal, self, table)

    __hash__ = None


def _of_counters(
    operation: Callable[[Any, Any], Any], one: KeyedCounter, other: Table, is_reflected: bool = False
) -> Value:
    """An operator of two counters; ``NotImplemented`` if the other operand is none."""
    if not isinstance(other, (KeyedCounter, Counter)):
        return NotImplemented
    if is_reflected and is_in_place():  # `counts += table` changes the plain counter.
        contents_differ(other)
        raise refusal(one, "added to a plain Counter")
    table = other if isinstance(other, KeyedCounter) else keyed_counter(Counter, None, other)
    operands = (table, one) if is_reflected else (one, table)
    return converted_call(operation, *operands)


def _in_place(operation: Callable[[Any, Any], Any], table: KeyedCounter, other: Table) -> Value:
    """An operator that changes a counter, of which only positive counts are left."""
    converted_call(operation, table, other)
    converted_call(_keep_positive, table)
    return table


def _signed(table: Table, sign: int) -> Value:
    made = keyed_counter(Counter, None, {})
    for key, count in table.items():
        if count * sign > 0:
            put(made, key, count * sign)
    return made


def _sum(one: Table, other: Table) -> Value:
    made = keyed_counter(Counter, None, {})
    for key, count in one.items():
        both = count + other.get(key, 0)
        if both > 0:
            put(made, key, both)
    for key, count in other.items():
        if count > 0 and not has_key(one, key):
            put(made, key, count)
    return made


def _difference(one: Table, other: Table) -> Value:
    made = keyed_counter(Counter, None, {})
    for key, count in one.items():
        rest = count - other.get(key, 0)
        if rest > 0:
            put(made, key, rest)
    for key, count in other.items():
        if count < 0 and not has_key(one, key):
            put(made, key, -count)
    return made


def _union(one: Table, other: Table) -> Value:
    made = keyed_counter(Counter, None, {})
    for key, count in one.items():
        most = other.get(key, 0)
        if not count < most:
            most = count
        if most > 0:
            put(made, key, most)
    for key, count in other.items():
        if count > 0 and not has_key(one, key):
            put(made, key, count)
    return made


def _common(one: Table, other: Table) -> Value:
    made = keyed_counter(Counter, None, {})
    for key, count in one.items():
        least = other.get(key, 0)
        if count < least:
            least = count
        if least > 0:
            put(made, key, least)
    return made


def _add(table: Table, other: Table) -> None:
    for key, count in other.items():
        put(table, key, table.get(key, 0) + count)


def _take(table: Table, other: Table) -> None:
    for key, count in other.items():
        put(table, key, table.get(key, 0) - count)


def _raise_to(table: Table, other: Table) -> None:
    for key, count in other.items():
        if count > table.get(key, 0):
            put(table, key, count)


def _lower_to(table: Table, other: Table) -> None:
    for key in list(table):
        least = other.get(key, 0)
        if least < table.get(key, 0):
            put(table, key, least)


def _keep_positive(table: Table) -> None:
    for key in list(table):
        slot, entry, _ = found(table, key)
        if not value_at(table, entry) > 0:
            removed(table, slot, entry)


def _is_within(one: Table, other: Table) -> Value:
    is_within = True
    for key, count in one.items():
        if not count <= other.get(key, 0):
            is_within = False
            break
    if is_within:
        for key, count in other.items():
            if not one.get(key, 0) <= count:
                is_within = False
                break
    return is_within


def _is_less(one: Table, other: Table) -> Value:
    return _is_within(one, other) and not _are_equal(one, other)


def _count_of(pair: Value) -> Value:
    return pair[1]


def _change(table: Table, iterable: Table, sign: int) -> None:
    if is_dict(iterable):
        for key, count in pairs_of(iterable):
            put(table, key, table.get(key, 0) + sign * count)
    else:
        for key in iterable:
            put(table, key, table.get(key, 0) + sign)


def _changed(table: Table, iterable: Table) -> Value:
    _change(table, iterable, 1)
    return table


def _are_equal(one: Table, other: Table) -> Value:
    same = True
    for key, count in one.items():
        if other.get(key, 0) != count:
            same = False
            break
    if same:
        for key, count in other.items():
            if one.get(key, 0) != count:
                same = False
                break
    return same


def keyed_counter(of_class: type[Any], factory: Value, items: Table) -> Value:
    """A new table with the counts of a plain ``Counter``."""
    made = new_table(KeyedCounter, Counter)
    for key, count in items.items():
        converted_call(put, made, key, count)
    return made


def counter_of(iterable: Table = (), /, **named: Any) -> Value:
    """``Counter(iterable)``."""
    made = converted_call(_changed, keyed_counter(Counter, None, {}), iterable)
    for name, count in named.items():
        converted_call(put, made, name, count)
    return made


for _one in (
    *(_count_of, _change, _changed, _are_equal, _signed, _sum, _difference, _union, _common, _add, _take),
    *(_raise_to, _lower_to, _keep_positive, _is_within, _is_less),
):
    request_own(_one)
for _method in ("most_common", "total", "update", "subtract", "copy"):
    request_own(vars(KeyedCounter)[_method])
