"""Dicts whose keys only the run knows, and their methods as Python, which is converted.

counts[key] = counts.get(key, 0) + 1        # a search for the key, which is a loop of the graph
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable
from typing import Any, NoReturn

from autograph._src.backends.protocol import backend_of
from autograph._src.operators.calls import converted_call
from autograph._src.operators.identity import not_
from autograph._src.operators.spelled import operated
from autograph._src.policy import request_own
from autograph._src.staging.keyed.entries import added, emptied, found, key_at, removed, set_value, value_at
from autograph._src.staging.keyed.keyed import GONE, Key, Keyed, Table, Value, new_table, refusal
from autograph._src.staging.keyed.views import View
from autograph._src.staging.keyed.walks import listed, walk_of
from autograph._src.staging.lists.staged_iterable import StagedIterable
from autograph._src.staging.trace.active import staging_error
from autograph._src.staging.trace.running_operator import is_in_place
from autograph._src.staging.trace.statements import contents_differ

MISSING = object()
"""The default of a look-up that raises."""


class KeyedDict(Keyed):
    """A dict, ``defaultdict``, ``OrderedDict`` or ``Counter``."""

    __slots__ = ()
    ag_words = "a dict whose keys depend on data"

    def staged(self) -> StagedIterable:
        """The walk over the keys."""
        return walk_of(self, "keys")

    def sequence(self) -> StagedIterable:
        """As :meth:`staged`, over a list of the keys."""
        return listed(self, self.staged())

    def keys(self) -> View:
        """``dict.keys``."""
        return View(self, "keys")

    def values(self) -> View:
        """``dict.values``."""
        return View(self, "values")

    def items(self) -> View:
        """``dict.items``."""
        return View(self, "items")

    def get(self, key: Key, default: Value = None, /) -> Value:
        """``dict.get``."""
        _, entry, _ = found(self, key)
        return value_at(self, entry) if entry >= 0 else default

    def setdefault(self, key: Key, default: Value = None, /) -> Value:
        """``dict.setdefault``."""
        slot, entry, mark = found(self, key)
        if entry < 0:
            self.ag_values.append(default)
            added(self, slot, key, mark)
            entry = len(self.ag_values) - 1
        return value_at(self, entry)

    def pop(self, key: Key, default: Value = MISSING, /) -> Value:
        """``dict.pop``."""
        slot, entry, _ = found(self, key)
        if entry < 0:
            if default is MISSING:
                raise KeyError(key)
            value = default
        else:
            value = value_at(self, entry)
            removed(self, slot, entry)
        return value

    def popitem(self, last: Value = MISSING) -> Value:
        """``dict.popitem``, and that of an ``OrderedDict``."""
        if last is MISSING:
            last = True
        elif self.ag_class is not OrderedDict:
            raise TypeError("dict.popitem() takes no arguments (1 given)")
        if self.ag_counts[0] == 0:
            raise KeyError(_empty_words(self))
        entry = _last(self) if last else first_entry(self)
        key, value = key_at(self, entry), value_at(self, entry)
        slot, entry, _ = found(self, key)
        removed(self, slot, entry)
        return key, value

    def move_to_end(self, key: Key, last: bool = True) -> None:
        """``OrderedDict.move_to_end``."""
        _require_order(self)
        if not last:
            _refuse_front(self)
        slot, entry, _ = found(self, key)
        if entry < 0:
            raise KeyError(key)
        known, value = key_at(self, entry), value_at(self, entry)
        removed(self, slot, entry)
        put(self, known, value)

    def clear(self) -> None:
        """``dict.clear``."""
        emptied(self)

    def update(self, *others: Any, **named: Any) -> None:
        """``dict.update``."""
        for other in others:
            for key, value in pairs_of(other):
                put(self, key, value)
        for name in named:
            put(self, name, named[name])

    def copy(self) -> Value:
        """``dict.copy``."""
        return copied(self)

    def __or__(self, other: Table) -> Value:
        return converted_call(_union, copied(self), other) if is_dict(other) else NotImplemented

    def __ror__(self, other: Table) -> Value:
        if not is_dict(other):
            return NotImplemented
        if is_in_place():  # `d |= table` changes the plain dict.
            contents_differ(other)
            raise refusal(self, "added to a plain dict")
        return converted_call(_union, as_keyed(self, other), self)

    def __ior__(self, other: Table) -> Value:
        converted_call(KeyedDict.update, self, other)
        return self

    def __eq__(self, other: object) -> Value:
        return converted_call(are_equal, self, as_keyed(self, other)) if is_dict(other) else NotImplemented

    def __ne__(self, other: object) -> Value:
        same = self.__eq__(other)
        return same if same is NotImplemented else not_(same)

    __hash__ = None


def put(table: Table, key: Key, value: Value) -> None:
    """``table[key] = value``."""
    slot, entry, mark = found(table, key)
    if entry >= 0:
        set_value(table, entry, value)
    else:
        table.ag_values.append(value)
        added(table, slot, key, mark)


def item_of(table: Table, key: Key) -> Value:
    """``table[key]``."""
    slot, entry, mark = found(table, key)
    if table.ag_factory is not None:
        if entry < 0:
            table.ag_values.append(table.ag_factory())
            added(table, slot, key, mark)
            entry = len(table.ag_values) - 1
        value = value_at(table, entry)
    elif counts_missing(table):
        value = value_at(table, entry) if entry >= 0 else 0
    else:
        if entry < 0:
            raise KeyError(key)
        value = value_at(table, entry)
    return value


def updated(table: Table, key: Key, op: str, value: Callable[[], Any]) -> None:
    """``table[key] op= value()``, with one search if `value` leaves the keys alone."""
    present = item_of(table, key)
    put(table, key, operated(op, present, value()))


def deleted(table: Table, key: Key) -> None:
    """``del table[key]``."""
    slot, entry, _ = found(table, key)
    if entry < 0:
        if not counts_missing(table):
            raise KeyError(key)
    else:
        removed(table, slot, entry)


def has_key(table: Table, key: Key) -> Value:
    """``key in table``."""
    _, entry, _ = found(table, key)
    return entry >= 0


def are_equal(one: Table, other: Table) -> Value:
    """``one == other`` of two dicts."""
    same = one.ag_counts[0] == other.ag_counts[0]
    if is_ordered(one, other) and same:
        for (key, _), (second, _) in zip(one.items(), other.items(), strict=True):
            if not operated("eq", key, second):
                same = False
                break
    if same:
        for key, value in one.items():
            _, entry, _ = found(other, key)
            if entry < 0:
                same = False
                break
            if not operated("eq", value, value_at(other, entry)):
                same = False
                break
    return same


def _union(one: Table, other: Table) -> Value:
    for key, value in pairs_of(other):
        put(one, key, value)
    return one


def _last(table: Table) -> Value:
    entry = len(table.ag_marks) - 1
    while table.ag_marks[entry] == GONE:
        entry -= 1
    return entry


def first_entry(table: Table) -> Value:
    """The number of the first entry that is left."""
    entry = 0
    while table.ag_marks[entry] == GONE:
        entry += 1
    return entry


def _filled(made: Table, pairs: Table) -> Value:
    for key, value in pairs:
        put(made, key, value)
    return made


for _one in (put, item_of, updated, deleted, has_key, are_equal, _union, _last, first_entry, _filled):
    request_own(_one)
for _method in (*("get", "setdefault", "pop", "popitem", "move_to_end", "clear", "update", "copy"),):
    request_own(vars(KeyedDict)[_method])


def counts_missing(table: Table) -> bool:
    """Whether a key that is not there counts 0."""
    return table.ag_class is Counter


def is_ordered(one: Table, other: Table) -> bool:
    """Whether the order of the keys matters to ``==``."""
    return one.ag_class is OrderedDict and other.ag_class is OrderedDict


def is_dict(value: object) -> bool:
    """Whether a value is a dict, plain or with keys that depend on data."""
    return isinstance(value, (dict, KeyedDict))


def pairs_of(other: Table) -> Value:
    """What a dict is filled from: the items of a dict, or pairs."""
    is_plain = backend_of(other) is None and hasattr(other, "keys")
    return converted_call(other.items) if is_plain or is_dict(other) else other


def as_keyed(like: Table, other: Table) -> Value:
    """A dict as a table of its own."""
    if isinstance(other, Keyed):
        return other
    return keyed_dict(type(other), getattr(other, "default_factory", None), other)


def copied(table: Table) -> Value:
    """A new table with the same items."""
    return converted_call(_filled, keyed_dict(table.ag_class, table.ag_factory, {}), View(table, "items"))


def keyed_dict(of_class: type[Any], factory: Value, items: Table) -> Value:
    """A new table with the items of a plain dict."""
    made = new_table(KeyedDict, of_class, factory)
    for key, value in items.items():
        converted_call(put, made, key, value)
    return made


def _require_order(table: Table) -> None:
    if table.ag_class is not OrderedDict:
        raise AttributeError(f"{table.ag_class.__name__!r} object has no attribute 'move_to_end'")


def _refuse_front(table: Table) -> NoReturn:
    raise staging_error("AG120", "`move_to_end` with `last=False`", "make a new dict in the other order")


def _empty_words(table: Table) -> str:
    return f"{'popitem(): ' if table.ag_class is not OrderedDict else ''}dictionary is empty"
