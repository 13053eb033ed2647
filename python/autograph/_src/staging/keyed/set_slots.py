"""The slots of sets, as CPython lays them out, since they are what a walk over a set follows.

    for n in {40, 9, 2, 17}:     # 40 & 7 is slot 0; 9 and 17 are at 1 and 2, 2 is where it finds room

CPython's hashes of ints are modelled: a walk over a set of ints has CPython's order. Other keys have hashes
of our own, and such a set is not walked.
"""

from __future__ import annotations

import numpy as np

from autograph._src.operators.calls import converted_call
from autograph._src.policy import request_own
from autograph._src.staging.keyed.certain import certain
from autograph._src.staging.keyed.hashing import hash_of, is_equal
from autograph._src.staging.keyed.keyed import FREE, GONE, LEAST, REMOVED, Key, Keyed, Number, Value
from autograph._src.staging.tensors.tensor import Tensor, plain_class
from autograph._src.staging.wide.wide_int import WideInt

_PROBES = 9
"""CPython's ``LINEAR_PROBES``: how many slots side by side it looks at."""

_MODULUS = (1 << 61) - 1
_SHIFTED = (1 << 59) - 1


def is_int(key: Key) -> bool:
    """Whether a key is an int, plain or staged, whose hash is CPython's."""
    kind = plain_class(key) if isinstance(key, Tensor) else type(key)
    return issubclass(kind, (bool, np.bool_, int, np.integer)) and kind is not np.uint64


def holds_ints(keys: Value) -> bool:
    """Whether all keys of a table are ints."""
    contents = getattr(keys, "contents", None)
    if contents is None:
        return all(map(is_int, list.copy(keys)))
    dtype = getattr(contents.element, "dtype", None)
    return dtype is not None and dtype.kind in "iub" and not getattr(contents.element, "sizes", ())


def _mark_of(key: Key) -> Value:
    if isinstance(key, WideInt):
        return key % _MODULUS
    return converted_call(_hash_of_int, key) if is_int(key) else hash_of(key)


def _hash_of_int(key: int) -> int:
    number = int(key)
    if number >= _MODULUS or number <= -_MODULUS:
        number = number % _MODULUS if number >= 0 else -(-(number + _MODULUS) % _MODULUS)
    return -2 if number == -1 else number


def _room(base: int, mask: int) -> int:
    return _PROBES if base + _PROBES <= mask else 0


@certain
def found_in_set(table: Keyed, key: Key) -> Value:
    """Where a key is: its slot, the number of its entry, and its hash.

    Without the key, the slot is where CPython puts it: the last one of a removed key that it has passed, or
    the free one; and the number is negative.
    """
    index, keys = table.ag_index, table.ag_keys
    mask = len(index) - 1
    mark = _mark_of(key)
    rest, passed = mark, -1
    slot = base = mark & mask
    left = _room(base, mask)
    entry = index[slot]
    while entry != FREE and (entry < 0 or not is_equal(keys[entry], key)):
        if entry < 0:
            passed = slot
        if left > 0:
            left -= 1
            slot += 1
        else:
            rest = (rest >> 5) & _SHIFTED
            slot = base = (base * 5 + 1 + rest) & mask
            left = _room(base, mask)
        entry = index[slot]
    if entry == FREE and passed >= 0:
        slot = passed
        entry = index[slot]
    return slot, entry, mark


@certain
def added_to_set(table: Keyed, key: Key) -> None:
    """Adds a key if it is not there."""
    slot, entry, mark = found_in_set(table, key)
    if entry < FREE:
        place = REMOVED - entry
        table.ag_index[slot] = place
        table.ag_keys[place] = key
        table.ag_marks[place] = mark
        table.ag_counts[0] += 1
        table.ag_counts[1] += 1
    elif entry == FREE:
        table.ag_index[slot] = len(table.ag_keys)
        _append(table, key, mark)
        if len(table.ag_keys) * 5 >= (len(table.ag_index) - 1) * 3:
            resized(table, _wanted(table))


def _append(table: Keyed, key: Key, mark: Number) -> None:
    table.ag_keys.append(key)
    table.ag_marks.append(mark)
    table.ag_counts[0] += 1
    table.ag_counts[1] += 1


def _wanted(table: Keyed) -> Value:
    used = table.ag_counts[0]
    return used * 2 if used > 50000 else used * 4


@certain
def removed_from_set(table: Keyed, slot: Number, entry: Number) -> None:
    """Removes the key of a slot."""
    table.ag_index[slot] = REMOVED - entry
    table.ag_marks[entry] = GONE
    table.ag_counts[0] -= 1
    table.ag_counts[1] += 1


@certain
def without_marks(table: Keyed) -> None:
    """Makes the slots anew where more than a quarter of them are of removed keys, as a difference does."""
    if len(table.ag_marks) - table.ag_counts[0] > (len(table.ag_index) - 1) // 4:
        resized(table, _wanted(table))


@certain
def emptied_set(table: Keyed) -> None:
    """Removes all keys."""
    table.ag_keys.clear()
    table.ag_marks.clear()
    while len(table.ag_index) > LEAST:
        table.ag_index.pop()
    for slot in range(LEAST):
        table.ag_index[slot] = FREE
    table.ag_counts[0] = 0
    table.ag_counts[1] += 1
    table.ag_counts[2] = 0


@certain
def resized(table: Keyed, least: Number) -> None:
    """Moves the keys to more or fewer slots: more than `least`."""
    index, keys, marks = table.ag_index, table.ag_keys, table.ag_marks
    moved_keys, moved_marks = [], []
    # With hashes of our own the slots say nothing: a set of the caller gets the keys as they came.
    for entry in index if holds_ints(keys) else range(len(marks)):
        if entry >= 0 and marks[entry] != GONE:
            moved_keys.append(keys[entry])
            moved_marks.append(marks[entry])
    for _ in range(len(marks) - len(moved_marks)):
        keys.pop()
        marks.pop()
    size = LEAST
    while size <= least:
        size = size * 2
    for _ in range(len(index) - size):
        index.pop()
    for slot in range(len(index)):
        index[slot] = FREE
    for _ in range(size - len(index)):
        index.append(FREE)
    for entry in range(len(moved_marks)):
        keys[entry] = moved_keys[entry]
        marks[entry] = moved_marks[entry]
        _place(index, moved_marks[entry], entry)


@certain
def keys_in_order(table: Keyed) -> Value:
    """The keys in the order of their slots."""
    made = []
    for entry in table.ag_index:
        if entry >= 0:
            made.append(table.ag_keys[entry])
    return made


def _place(index: Number, mark: Number, entry: Number) -> None:
    """Puts an entry whose key is new into its slot."""
    mask = len(index) - 1
    rest = mark
    slot = base = mark & mask
    left = _room(base, mask)
    while index[slot] != FREE:
        if left > 0:
            left -= 1
            slot += 1
        else:
            rest = (rest >> 5) & _SHIFTED
            slot = base = (base * 5 + 1 + rest) & mask
            left = _room(base, mask)
    index[slot] = entry


@certain
def make_room(table: Keyed, count: Number) -> None:
    """Makes room for so many keys, as CPython does before it adds those of a set or of a dict."""
    if (len(table.ag_keys) + count) * 5 >= (len(table.ag_index) - 1) * 3:
        resized(table, (table.ag_counts[0] + count) * 2)


@certain
def merged(table: Keyed, other: Keyed) -> None:
    """``set.update`` by another set, which makes room for all of its keys first."""
    if other.ag_counts[0] > 0:
        make_room(table, other.ag_counts[0])
        if len(table.ag_keys) > 0:
            for entry in other.ag_index:
                if entry >= 0:
                    added_to_set(table, other.ag_keys[entry])
        elif len(table.ag_index) == len(other.ag_index) and len(other.ag_keys) == other.ag_counts[0]:
            for slot in range(len(other.ag_index)):
                entry = other.ag_index[slot]
                if entry >= 0:
                    table.ag_index[slot] = len(table.ag_keys)
                    _append(table, other.ag_keys[entry], other.ag_marks[entry])
        else:
            for entry in other.ag_index:
                if entry >= 0:
                    _place(table.ag_index, other.ag_marks[entry], len(table.ag_keys))
                    _append(table, other.ag_keys[entry], other.ag_marks[entry])


def popped(table: Keyed) -> Value:
    """``set.pop``: the first key from where the last one was."""
    if table.ag_counts[0] == 0:
        raise KeyError("pop from an empty set")
    return _popped(table)


@certain
def _popped(table: Keyed) -> Value:
    slot = table.ag_counts[2] & (len(table.ag_index) - 1)
    while table.ag_index[slot] < 0:
        slot = slot + 1 if slot + 1 < len(table.ag_index) else 0
    entry = table.ag_index[slot]
    key = table.ag_keys[entry]
    removed_from_set(table, slot, entry)
    table.ag_counts[2] = slot + 1
    return key


for _one in (_hash_of_int, _room, _append, _wanted, _place, popped):
    request_own(_one)
