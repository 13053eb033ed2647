"""``collections.Counter`` over keys that only the run knows.

Counter(xs).most_common(3)
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from autograph._src.operators.calls import converted_call
from autograph._src.policy import request_own
from autograph._src.staging.keyed.dicts import KeyedDict, is_dict, pairs_of, put
from autograph._src.staging.keyed.keyed import Number, Table, Value, new_table


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

    def __or__(self, other: object) -> Value:
        return self._refuse_operator(other)

    __sub__ = __and__ = __iadd__ = __isub__ = __ior__ = __iand__ = __rsub__ = __ror__ = __rand__ = __or__

    def __eq__(self, other: object) -> Value:
        if not isinstance(other, (Counter, KeyedCounter)):
            return super().__eq__(other)
        table = other if isinstance(other, KeyedCounter) else keyed_counter(Counter, None, other)
        return converted_call(_are_equal, self, table)

    __hash__ = None


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


for _one in (_count_of, _change, _changed, _are_equal):
    request_own(_one)
for _method in ("most_common", "total", "update", "subtract", "copy"):
    request_own(vars(KeyedCounter)[_method])
