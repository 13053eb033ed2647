"""Walks over dicts and sets whose keys only the run knows.

for key, value in d.items():     # the entries by their numbers; those that were removed are skipped
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NoReturn

from autograph._src.operators.items import get_item
from autograph._src.staging.control.comprehensions import grown_list
from autograph._src.staging.control.iteration import staged_iterable
from autograph._src.staging.keyed.keyed import GONE, Keyed, Number, Value
from autograph._src.staging.lists.staged_iterable import StagedIterable, Step
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.positions import number
from autograph._src.staging.tensors.python_scalars import compare, either, negate, require


def listed(table: Keyed, walk: StagedIterable) -> StagedIterable:
    """A walk over a table by a list of what it has left, for what asks for items by their numbers.

    The items are read when their turn comes: the loop may change the values of a dict.
    """
    size, changes = table.ag_counts[0], table.ag_counts[1]
    is_left, of_entry = walk.steps
    entries = StagedIterable(walk.length, walk.source, "list", (is_left,))
    items = staged_iterable(grown_list(entries, lambda entry: entry, None, is_of_program=False))
    if items is None:
        return StagedIterable(0, _nothing, "list")

    def item(position: Number) -> Value:
        _require_unchanged(table, size, changes, True)
        return of_entry.function(items.item(position))

    made = StagedIterable(items.length, item, "list")
    made.endings = (partial(_end, table, size, changes),)
    return made


def _nothing(position: object) -> NoReturn:
    raise IndexError("list index out of range")


def walk_of(table: Keyed, what: str) -> StagedIterable:
    """The walk over the keys, values or items of a dict, or over a set.

    Args:
        table: The dict or set.
        what: ``keys``, ``values`` or ``items``.
    """
    size, changes = table.ag_counts[0], table.ag_counts[1]

    def is_left(entry: Number) -> Value:
        _require_unchanged(table, size, changes, True)
        return get_item(table.ag_marks, entry) != GONE

    items: dict[str, Callable[[Any], Any]] = {
        "keys": lambda entry: get_item(table.ag_keys, entry),
        "values": lambda entry: get_item(table.ag_values, entry),
        "items": lambda entry: (get_item(table.ag_keys, entry), get_item(table.ag_values, entry)),
    }
    made = StagedIterable(_count(table), number, "list", (Step(is_left, True), Step(items[what], False)))
    made.endings = (partial(_end, table, size, changes),)
    return made


def walk_of_set(table: Keyed) -> StagedIterable:
    """The walk over a set: over its slots."""
    size, changes = table.ag_counts[0], table.ag_counts[1]

    def is_taken(slot: Number) -> Value:
        _require_unchanged(table, size, changes, True)
        entry: Number = get_item(table.ag_index, slot)
        return entry >= 0

    steps = (
        Step(is_taken, True),
        Step(lambda slot: get_item(table.ag_keys, get_item(table.ag_index, slot)), False),
    )
    length = table.ag_index.length() if hasattr(type(table.ag_index), "length") else len(table.ag_index)
    made = StagedIterable(length, number, "list", steps)
    made.endings = (partial(_end, table, size, changes),)
    return made


def walk_as_given(table: Keyed) -> StagedIterable:
    """The walk over a set of the caller that is as the call has found it: over the keys that it was given."""
    size, changes, given = table.ag_counts[0], table.ag_counts[1], table.ag_values

    def is_left(entry: Number) -> Value:
        _require_unchanged(table, size, changes, True)
        return entry >= 0

    steps = (Step(is_left, True), Step(lambda entry: get_item(given, entry), False))
    length = given.length() if hasattr(type(given), "length") else len(given)
    made = StagedIterable(length, number, "list", steps)
    made.endings = (partial(_end, table, size, changes),)
    return made


def _count(table: Keyed) -> Value:
    length = table.ag_marks.length() if hasattr(type(table.ag_marks), "length") else len(table.ag_marks)
    return length


def _end(table: Keyed, size: Number, changes: Number, count: Number, is_whole: Number) -> None:
    _require_unchanged(table, size, changes, is_whole)


def _require_unchanged(table: Keyed, size: Number, changes: Number, is_asked: Number) -> None:
    """Raises CPython's error where the number of keys has changed in a walk, or which ones they are."""
    if table.ag_counts[1] is changes:
        return
    is_set = table.ag_class is set
    changed_size = f"{'Set' if is_set else 'dictionary'} changed size during iteration"
    changed_keys = changed_size if is_set else "dictionary keys changed during iteration"
    asked = lift(is_asked)
    same_size = compare("equal", lift(table.ag_counts[0]), lift(size))
    require(either(negate(asked), same_size), RuntimeError, changed_size)
    same = compare("equal", lift(table.ag_counts[1]), lift(changes))
    require(either(negate(asked), same), RuntimeError, changed_keys)
