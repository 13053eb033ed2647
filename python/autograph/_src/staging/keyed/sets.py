"""Sets whose elements only the run knows, and their methods as Python, which is converted.

while cell not in seen:     # a search for the element, which is a loop of the graph
    seen.add(cell)
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from autograph._src.operators.calls import converted_call
from autograph._src.operators.identity import not_
from autograph._src.policy import request_own
from autograph._src.staging.control.comprehensions import grown_list
from autograph._src.staging.keyed.keyed import FREE, Key, Keyed, Table, Value, new_table, refusal
from autograph._src.staging.keyed.set_slots import (
    added_to_set,
    emptied_set,
    found_in_set,
    holds_ints,
    is_int,
    make_room,
    merged,
    popped,
    removed_from_set,
    without_marks,
)
from autograph._src.staging.keyed.walks import listed, walk_of_set
from autograph._src.staging.lists.staged_iterable import StagedIterable
from autograph._src.staging.trace.active import require_trace, staging_error
from autograph._src.staging.trace.running_operator import is_in_place
from autograph._src.staging.trace.statements import contents_differ

UNKNOWN = "of an unknown order"
"""What a set has in place of a factory, if its slots are not known."""


class KeyedSet(Keyed):
    """A set."""

    __slots__ = ()
    ag_words = "a set whose elements depend on data"

    def staged(self) -> StagedIterable:
        """The walk over it."""
        require_order(self)
        return walk_of_set(self)

    def sequence(self) -> StagedIterable:
        """As :meth:`staged`, over a list of the elements."""
        return listed(self, self.staged())

    def require_text(self) -> None:
        """Refuses a set as text if only CPython knows its order."""
        if self.ag_factory is UNKNOWN:
            require_order(self)

    def add(self, key: Key, /) -> None:
        """``set.add``."""
        added_to_set(self, key)

    def discard(self, key: Key, /) -> None:
        """``set.discard``."""
        slot, entry, _ = found_in_set(self, key)
        if entry >= 0:
            removed_from_set(self, slot, entry)

    def remove(self, key: Key, /) -> None:
        """``set.remove``."""
        slot, entry, _ = found_in_set(self, key)
        if entry < 0:
            raise KeyError(key)
        removed_from_set(self, slot, entry)

    def pop(self) -> Value:
        """``set.pop``."""
        require_order(self)
        return popped(self)

    def clear(self) -> None:
        """``set.clear``."""
        emptied_set(self)

    def copy(self) -> Value:
        """``set.copy``."""
        return copied_set(self)

    def update(self, *others: Any) -> None:
        """``set.update``."""
        for other in others:
            _update(self, other)

    def union(self, *others: Any) -> Value:
        """``set.union``."""
        made = copied_set(self)
        for other in others:
            if not _is_itself(self, other):
                _update(made, other)
        return made

    def intersection(self, other: Table, /) -> Value:
        """``set.intersection``."""
        return _common(self, as_set(other)) if is_set(other) else _common_with(self, other)

    def difference(self, other: Table, /) -> Value:
        """``set.difference``."""
        if is_set(other) or _is_of_class_dict(other):
            made = _difference(self, as_set(other))
        else:
            made = copied_set(self)
            exclude(made, other)
        return made

    def symmetric_difference(self, other: Table, /) -> Value:
        """``set.symmetric_difference``."""
        if is_set(other):
            return _either(self, as_set(other))
        made = set_of(other)
        _switched(made, self)
        return made

    def difference_update(self, other: Table, /) -> None:
        """``set.difference_update``."""
        taken_out(self, as_set(other))

    def intersection_update(self, other: Table, /) -> None:
        """``set.intersection_update``."""
        common = _common(self, as_set(other)) if is_set(other) else _common_with(self, other)
        _become(self, common)

    def symmetric_difference_update(self, other: Table, /) -> None:
        """``set.symmetric_difference_update``."""
        switched_by(self, other)

    def isdisjoint(self, other: Table, /) -> Value:
        """``set.isdisjoint``."""
        return _common(self, as_set(other)).ag_counts[0] == 0

    def issubset(self, other: Table, /) -> Value:
        """``set.issubset``."""
        return _is_subset(self, as_set(other))

    def issuperset(self, other: Table, /) -> Value:
        """``set.issuperset``."""
        return _is_subset(as_set(other), self)

    def __eq__(self, other: object) -> Value:
        return _of_two(_are_equal, self, other)

    def __ne__(self, other: object) -> Value:
        same = self.__eq__(other)
        return same if same is NotImplemented else not_(same)

    def __le__(self, other: object) -> Value:
        return _of_two(_is_subset, self, other)

    def __ge__(self, other: object) -> Value:
        return _of_two(lambda one, two: converted_call(_is_subset, two, one), self, other)

    def __lt__(self, other: object) -> Value:
        return _of_two(_is_less, self, other)

    def __gt__(self, other: object) -> Value:
        return _of_two(lambda one, two: converted_call(_is_less, two, one), self, other)

    def __or__(self, other: object) -> Value:
        return _of_two(_union, self, other)

    def __and__(self, other: object) -> Value:
        return _of_two(_common, self, other)

    def __sub__(self, other: object) -> Value:
        return _of_two(_difference, self, other)

    def __xor__(self, other: object) -> Value:
        return _of_two(_either, self, other)

    def __ror__(self, other: object) -> Value:
        return _of_two(_union, self, other, is_reflected=True)

    def __rand__(self, other: object) -> Value:
        return _of_two(_common, self, other, is_reflected=True)

    def __rsub__(self, other: object) -> Value:
        return _of_two(_difference, self, other, is_reflected=True)

    def __rxor__(self, other: object) -> Value:
        return _of_two(_either, self, other, is_reflected=True)

    def __ior__(self, other: object) -> Value:
        return self if _of_two(_update, self, other) is None else NotImplemented

    def __isub__(self, other: object) -> Value:
        return self if _of_two(taken_out, self, other) is None else NotImplemented

    def __iand__(self, other: object) -> Value:
        return self if _of_two(_kept, self, other) is None else NotImplemented

    def __ixor__(self, other: object) -> Value:
        return self if _of_two(_switched, self, other) is None else NotImplemented

    __hash__ = None


def _of_two(
    operation: Callable[[Any, Any], Any], one: KeyedSet, other: Table, is_reflected: bool = False
) -> Value:
    """An operator of two sets; ``NotImplemented`` if the other operand is none."""
    if not isinstance(other, (KeyedSet, set, frozenset)):
        return NotImplemented
    if is_reflected and is_in_place():  # `seen |= table` changes the plain set.
        contents_differ(other)
        require_trace().callers_objects.learn_table(other)
        raise refusal(one, "added to a plain set")
    operands = (as_set(other), one) if is_reflected else (one, as_set(other))
    return converted_call(operation, *operands)


def require_order(table: Table) -> None:
    """Refuses a set whose order is not CPython's: of keys that are no ints, or with unknown slots."""
    if table.ag_factory is UNKNOWN or not holds_ints(table.ag_keys):
        raise staging_error(
            "AG120",
            "the order of a set depends on hashes that only CPython knows",
            "walk `sorted(…)` of it, or use a dict with the elements as keys",
        )


def elements_of(table: Table) -> Value:
    """A list of the elements, in whatever order: for what does not depend on it."""
    return grown_list(walk_of_set(table), lambda item: item, None, is_of_program=False)


def new_set(is_known: bool = True) -> Value:
    """A new set without elements."""
    return new_table(KeyedSet, set, None if is_known else UNKNOWN)


def as_set(other: Table) -> Value:
    """A set, plain set or iterable as a table."""
    return other if isinstance(other, KeyedSet) else set_of(other)


def set_of(values: Table = ()) -> Value:
    """``set(values)``."""
    if isinstance(values, KeyedSet):
        return converted_call(copied_set, values)
    if isinstance(values, (set, frozenset)):
        return keyed_set(set, None, values)
    return converted_call(_filled, new_set(), values)


def keyed_set(of_class: type[Any], factory: Value, values: Table) -> Value:
    """A plain set of the program as a table.

    Its order is known where each element is at its first slot, and where there are as many slots as in a set
    to which the elements were added one by one, as they are here.
    """
    slots = (sys.getsizeof(values) - sys.getsizeof(set())) // 16 or 8
    homes = {hash(value) & (slots - 1) for value in values}
    added: set[Any] = set()
    for value in values:
        added.add(value)
    is_known = len(homes) == len(values) and all(map(is_int, values))
    is_known = is_known and sys.getsizeof(added) == sys.getsizeof(values)
    made = new_set(is_known or not values)
    for value in values:
        converted_call(added_to_set, made, value)
    return made


def _filled(made: Table, values: Table) -> Value:
    added_from(made, values)
    return made


def added_from(table: Table, values: Table) -> None:
    """``set.update`` by what is no set; CPython makes room for the keys of a dict first."""
    if _is_of_class_dict(values):
        make_room(table, len(values))
    if is_set(values):
        if not _is_itself(table, values):
            merged(table, as_set(values))
    else:
        for value in values:
            added_to_set(table, value)


def _is_of_class_dict(values: Table) -> bool:
    return type(values) is dict or (isinstance(values, Keyed) and values.ag_class is dict)


def copied_set(table: Table) -> Value:
    """A new set with the same elements."""
    made = new_set(table.ag_factory is not UNKNOWN)
    merged(made, table)
    return made


def _update(table: Table, other: Table) -> None:
    added_from(table, other)


def is_set(value: object) -> bool:
    """Whether a value is a set, plain or a table."""
    return isinstance(value, (KeyedSet, set, frozenset))


def _is_itself(one: Table, other: Table) -> bool:
    """Whether both operands are one set, which CPython copies, leaves alone or empties."""
    return one is other


def _union(one: Table, other: Table) -> Value:
    made = copied_set(one)
    if not _is_itself(one, other):
        merged(made, other)
    return made


def _common(one: Table, other: Table) -> Value:
    if _is_itself(one, other):
        return copied_set(one)
    made = new_set(one.ag_factory is not UNKNOWN and other.ag_factory is not UNKNOWN)
    if other.ag_counts[0] > one.ag_counts[0]:
        _add_common(made, one, other)
    else:
        _add_common(made, other, one)
    return made


def _add_common(made: Table, walked: Table, asked: Table) -> None:
    for entry in walked.ag_index:
        if entry >= 0:
            key = walked.ag_keys[entry]
            _, known, _ = found_in_set(asked, key)
            if known >= 0:
                added_to_set(made, key)


def _difference(one: Table, other: Table) -> Value:
    made = new_set(one.ag_factory is not UNKNOWN and other.ag_factory is not UNKNOWN)
    if one.ag_counts[0] >> 2 > other.ag_counts[0]:
        merged(made, one)
        taken_out(made, other)
    else:
        for entry in one.ag_index:
            if entry >= 0:
                key = one.ag_keys[entry]
                _, known, _ = found_in_set(other, key)
                if known < 0:
                    added_to_set(made, key)
    return made


def taken_out(table: Table, other: Table) -> None:
    """``set.difference_update`` by a set."""
    if _is_itself(table, other):
        emptied_set(table)
    else:
        for entry in other.ag_index:
            if entry >= 0:
                slot, known, _ = found_in_set(table, other.ag_keys[entry])
                if known >= 0:
                    removed_from_set(table, slot, known)
        without_marks(table)


def exclude(table: Table, other: Table) -> None:
    """``set.difference_update`` by what is no set."""
    for key in other:
        slot, known, _ = found_in_set(table, key)
        if known >= 0:
            removed_from_set(table, slot, known)
    without_marks(table)


def _kept(table: Table, other: Table) -> None:
    """``set.intersection_update`` by a set."""
    _become(table, _common(table, other))


def _become(table: Table, other: Table) -> None:
    """Takes over the slots of a new set, as CPython swaps the contents."""
    emptied_set(table)
    for _ in range(len(other.ag_index) - len(table.ag_index)):
        table.ag_index.append(FREE)
    for slot in range(len(other.ag_index)):
        table.ag_index[slot] = other.ag_index[slot]
    table.ag_keys.extend(other.ag_keys)
    table.ag_marks.extend(other.ag_marks)
    table.ag_counts[0] = other.ag_counts[0]


def _common_with(one: Table, other: Table) -> Value:
    """``set.intersection`` with what is no set, which is walked."""
    made = new_set()
    for key in other:
        _, known, _ = found_in_set(one, key)
        if known >= 0:
            added_to_set(made, key)
    return made


def switched_by(table: Table, other: Table) -> None:
    """``set.symmetric_difference_update``: a dict is walked as it is, what else is no set is made one."""
    if _is_of_class_dict(other):
        for key in other:
            _switch(table, key)
    else:
        _switched(table, as_set(other))


def _switched(table: Table, other: Table) -> None:
    """``set.symmetric_difference_update`` by a set."""
    if _is_itself(table, other):
        emptied_set(table)
    else:
        for entry in other.ag_index:
            if entry >= 0:
                _switch(table, other.ag_keys[entry])


def _switch(table: Table, key: Key) -> None:
    slot, known, _ = found_in_set(table, key)
    if known >= 0:
        removed_from_set(table, slot, known)
    else:
        added_to_set(table, key)


def _either(one: Table, other: Table) -> Value:
    made = copied_set(other)
    _switched(made, one)
    return made


def _is_subset(one: Table, other: Table) -> Value:
    is_subset = one.ag_counts[0] <= other.ag_counts[0]
    if is_subset:
        for entry in one.ag_index:
            if entry >= 0:
                _, known, _ = found_in_set(other, one.ag_keys[entry])
                if known < 0:
                    is_subset = False
                    break
    return is_subset


def _is_less(one: Table, other: Table) -> Value:
    return one.ag_counts[0] < other.ag_counts[0] and _is_subset(one, other)


def _are_equal(one: Table, other: Table) -> Value:
    return one.ag_counts[0] == other.ag_counts[0] and _is_subset(one, other)


def in_set(table: Table, key: Key) -> Value:
    """``key in table``."""
    _, entry, _ = found_in_set(table, key)
    return entry >= 0


for _one in (
    *(
        _filled,
        added_from,
        exclude,
        _kept,
        _become,
        _common_with,
        switched_by,
        _switched,
        _switch,
        copied_set,
        _update,
        _union,
        _common,
        _add_common,
        _difference,
        taken_out,
        _either,
    ),
    *(_is_subset, _is_less, _are_equal, in_set),
):
    request_own(_one)
for _method in (
    *("add", "discard", "remove", "pop", "clear", "copy", "update", "union", "intersection", "difference"),
    *("symmetric_difference", "difference_update", "intersection_update"),
    *("symmetric_difference_update", "isdisjoint", "issubset", "issuperset"),
):
    request_own(vars(KeyedSet)[_method])
