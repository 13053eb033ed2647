"""The table: entries in the order in which they came, and an index of their numbers with open addressing.

    keys      5     9     13    21
    index     .     0     3     .     1     2     .     .        # of 8 slots: 5 & 7, 9 & 7, …

An entry that is removed leaves a mark, until the index is made anew. These functions are converted: their
loops are loops of the graph where the keys are staged.
"""

from __future__ import annotations

from autograph._src.staging.keyed.certain import certain
from autograph._src.staging.keyed.hashing import hash_of, is_equal
from autograph._src.staging.keyed.keyed import FREE, GONE, LEAST, REMOVED, Key, Keyed, Number, Value


@certain
def found(table: Keyed, key: Key) -> Value:
    """Where a key is: its slot, the number of its entry, and its hash. Without the key, the slot is free."""
    index, keys = table.ag_index, table.ag_keys
    mask = len(index) - 1
    mark = hash_of(key)
    rest = mark
    slot = rest & mask
    entry = index[slot]
    while entry != FREE and (entry == REMOVED or not is_equal(keys[entry], key)):
        rest = rest >> 5
        slot = (slot * 5 + rest + 1) & mask
        entry = index[slot]
    return slot, entry, mark


@certain
def key_at(table: Keyed, entry: Number) -> Value:
    """The key of an entry."""
    return table.ag_keys[entry]


@certain
def value_at(table: Keyed, entry: Number) -> Value:
    """The value of an entry."""
    return table.ag_values[entry]


@certain
def set_value(table: Keyed, entry: Number, value: Value) -> None:
    """Gives an entry another value."""
    table.ag_values[entry] = value


@certain
def added(table: Keyed, slot: Number, key: Key, mark: Number) -> None:
    """Adds a key at a free slot that :func:`found` gave."""
    table.ag_index[slot] = len(table.ag_keys)
    table.ag_keys.append(key)
    table.ag_marks.append(mark)
    table.ag_counts[0] += 1
    table.ag_counts[1] += 1
    if len(table.ag_keys) * 2 > len(table.ag_index):
        _make_index(table)


@certain
def removed(table: Keyed, slot: Number, entry: Number) -> None:
    """Removes the entry of a slot."""
    table.ag_index[slot] = REMOVED
    table.ag_marks[entry] = GONE
    table.ag_counts[0] -= 1
    table.ag_counts[1] += 1


@certain
def emptied(table: Keyed) -> None:
    """Removes all entries."""
    table.ag_keys.clear()
    table.ag_values.clear()
    table.ag_marks.clear()
    table.ag_index.clear()
    table.ag_index.extend([FREE] * LEAST)
    table.ag_counts[0] = 0
    table.ag_counts[1] += 1


@certain
def _make_index(table: Keyed) -> None:
    """Makes the index anew: without the removed entries, and with room for more."""
    marks, index = table.ag_marks, table.ag_index
    if table.ag_counts[0] < len(marks):
        _pack(table)
    for slot in range(len(index)):
        index[slot] = FREE
    while len(marks) * 2 >= len(index):
        for _ in range(len(index)):
            index.append(FREE)
    mask = len(index) - 1
    for entry in range(len(marks)):
        rest = marks[entry]
        slot = rest & mask
        while index[slot] != FREE:
            rest = rest >> 5
            slot = (slot * 5 + rest + 1) & mask
        index[slot] = entry


@certain
def _pack(table: Keyed) -> None:
    """Moves the entries that are left to the front."""
    place = 0
    for entry in range(len(table.ag_marks)):
        if table.ag_marks[entry] != GONE:
            table.ag_keys[place] = table.ag_keys[entry]
            if has_values(table):
                table.ag_values[place] = table.ag_values[entry]
            table.ag_marks[place] = table.ag_marks[entry]
            place += 1
    for _ in range(len(table.ag_marks) - place):
        table.ag_keys.pop()
        if has_values(table):
            table.ag_values.pop()
        table.ag_marks.pop()


def has_values(table: Keyed) -> bool:
    """Whether it is a dict, not a set."""
    return issubclass(table.ag_class, dict)
