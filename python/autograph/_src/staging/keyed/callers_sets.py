"""Sets of the caller that the run asks for keys of its own, or changes.

    def visit(seen, x):             # seen: {3, 4}
        for v in x:
            if v not in seen:       # `v` is staged
                seen.add(v)         # [3, 4] and each key that comes or goes are a result of the graph

Where CPython puts a key depends on the keys that were there before, also on removed ones, which nobody sees.
So a run does not say what a set holds when it is over, but which keys came and went, in order: the caller's
set is changed as the program changes it (:func:`autograph._src.staging.objects.callers_tables.change_set`).
"""

from __future__ import annotations

from typing import Any, NoReturn

from autograph._src.operators.calls import converted_call
from autograph._src.policy import request_own
from autograph._src.staging.keyed.certain import certain
from autograph._src.staging.keyed.keyed import FREE, LEAST, Key, Keyed, Table, Value, new_parts
from autograph._src.staging.keyed.set_slots import (
    added_to_set,
    emptied_set,
    found_in_set,
    removed_from_set,
)
from autograph._src.staging.keyed.sets import UNKNOWN, KeyedSet, is_set
from autograph._src.staging.keyed.walks import walk_as_given
from autograph._src.staging.kinds.value_kind import ValueKind
from autograph._src.staging.lists.staged_iterable import StagedIterable
from autograph._src.staging.trace.active import require_trace, staging_error


class CallersSet(KeyedSet):
    """What stands for a set of the caller.

    Its values are the keys that it held at first, and each key that was added or removed since; after
    ``clear``, which a fourth count tells, those that were since. Its slots are not CPython's.
    """

    __slots__ = ()
    ag_words = "a set of the caller that is asked for keys that depend on data"

    def staged(self) -> StagedIterable:
        """The walk over it: in CPython's order while it is as the call has found it; else refused."""
        if require_trace().callers_objects.is_as_given(self):
            return walk_as_given(self)
        return super().staged()

    def add(self, key: Key, /) -> None:
        """``set.add``."""
        _added(self, key)

    def discard(self, key: Key, /) -> None:
        """``set.discard``."""
        _discarded(self, key)

    def remove(self, key: Key, /) -> None:
        """``set.remove``."""
        if not _discarded(self, key):
            raise KeyError(key)

    def clear(self) -> None:
        """``set.clear``."""
        emptied_set(self)
        self.ag_values.clear()
        self.ag_counts[3] = 1

    def update(self, *others: Any) -> None:
        """``set.update`` by what is walked; CPython makes room for the keys of a set or dict first."""
        for other in others:
            if _makes_room(other):
                _refuse_at_once("update")
            for key in other:
                _added(self, key)

    def difference_update(self, other: Table, /) -> NoReturn:
        """Refused, as are the others that change many keys at once."""
        _refuse_at_once("difference_update")

    def intersection_update(self, other: Table, /) -> NoReturn:
        """Refused."""
        _refuse_at_once("intersection_update")

    def symmetric_difference_update(self, other: Table, /) -> NoReturn:
        """Refused."""
        _refuse_at_once("symmetric_difference_update")

    def __ior__(self, other: object) -> Value:
        return _refuse_at_once("|=") if is_set(other) else NotImplemented

    def __isub__(self, other: object) -> Value:
        return _refuse_at_once("-=") if is_set(other) else NotImplemented

    def __iand__(self, other: object) -> Value:
        return _refuse_at_once("&=") if is_set(other) else NotImplemented

    def __ixor__(self, other: object) -> Value:
        return _refuse_at_once("^=") if is_set(other) else NotImplemented

    __hash__ = None


def refuse_rows(kind: ValueKind) -> None:
    """Refuses sets of the caller in a list of the run that leaves it: what a row gives is a new set.

        seen.add(n)
        found = [seen]
        for _ in range(n):
            found.append(found[0])
        return found                # `found[1] is seen`

    Args:
        kind: The kind of the list's elements.

    Raises:
        StagingError: If there may be such a set in it (AG120).
    """
    if getattr(kind, "kind", None) is CallersSet:
        raise staging_error(
            "AG120",
            "a list whose length only the run knows leaves the run with a set of the caller in it",
            "return how often the set is in the list, and make the list outside of the staged function",
        )
    for part in kind.inside():
        refuse_rows(part)


def _makes_room(other: object) -> bool:
    """Whether a set is given room for all keys of a value at once: those of sets and dicts."""
    kind = other.ag_class if isinstance(other, Keyed) else type(other)
    return issubclass(kind, (set, frozenset, dict))


def _refuse_at_once(what: str) -> NoReturn:
    raise staging_error(
        "AG120",
        f"`{what}` of a set of the caller changes many keys at once, and where CPython puts them"
        " depends on keys that were removed before the call",
        "change one key after another: `for key in sorted(other): seen.add(key)`, or `seen.discard(key)`",
    )


@certain
def _added(table: Table, key: Key) -> None:
    changes = table.ag_counts[1]
    added_to_set(table, key)
    if table.ag_counts[1] != changes:
        table.ag_values.append(key)


@certain
def _discarded(table: Table, key: Key) -> Value:
    """Removes a key; tells whether it was there."""
    slot, entry, _ = found_in_set(table, key)
    if entry >= 0:
        table.ag_values.append(table.ag_keys[entry])
        removed_from_set(table, slot, entry)
    return entry >= 0


def set_of_caller(runs: list[Value]) -> Value:
    """What stands for a set with these keys: lists of one type each, in CPython's order where it is one."""
    made = CallersSet(set, UNKNOWN, *new_parts(([], [], [], [FREE] * LEAST, [0, 0, 0, 0])))
    for keys in runs:
        converted_call(_filled_from, made, keys)
    return made


def _filled_from(made: Table, keys: Table) -> None:
    for place in range(len(keys)):
        _added(made, keys[place])


for _one in (
    _filled_from,
    *(vars(CallersSet)[name] for name in ("add", "discard", "remove", "clear", "update")),
):
    request_own(_one)
