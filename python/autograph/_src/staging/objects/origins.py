"""Which older lists and records the new ones of a joined value may be.

rows = base                # a list from before
if x > 0:                  # staged
rows = [x]             # after the `if`, `rows` is a new list that may be `base`
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from autograph._src.staging.kinds.leaves import leaves_of
from autograph._src.staging.kinds.maybe_bound import MaybeBound
from autograph._src.staging.kinds.optionals import StagedOptional
from autograph._src.staging.kinds.static import is_plain_record
from autograph._src.staging.kinds.value_kind import ValueKind, is_result
from autograph._src.staging.lists.list_joins import serial_of
from autograph._src.staging.lists.traced_list import TracedList
from autograph._src.staging.objects.record_object import RecordObject
from autograph._src.staging.tensors.memory import Memory, Role
from autograph._src.staging.trace.active import require_trace
from autograph._src.staging.trace.record_trees import is_object_tree, is_record_tree, record_values
from autograph._src.staging.trace.references import is_reference


def containers_in(value: object) -> list[Any]:
    """The lists and records in a value, also those inside of others; rows are left out."""
    found: dict[int, Any] = {}
    _collect(value, found)
    return list(found.values())


def _collect(value: object, found: dict[int, Any]) -> None:
    for leaf in leaves_of(value):
        is_list = isinstance(leaf, TracedList) and not is_reference(leaf)
        if id(leaf) in found or not (is_list or type(leaf) is list or is_record_tree(leaf)):
            continue
        found[id(leaf)] = leaf
        for part in record_values(leaf) if is_record_tree(leaf) else list.copy(leaf):
            _collect(part, found)


def held_twice(
    names: Sequence[str], values: Sequence[object], serial: int, variables: int
) -> tuple[Any, str, str] | None:
    """As :func:`found_twice`, but for what nobody can tell: no variable is read after a ``return``.

        p = step(p)
        if p["x"] > limit:
            return p          # the result and `p` are one object

    Args:
        names: The variables, then the places.
        values: Their values at the end of the block.
        serial: The serial number before the block.
        variables: How many are variables.
    """
    are_results = [is_result(name) for name in names]
    but_results = [None if result else value for value, result in zip(values, are_results, strict=True)]
    found = found_twice(names, but_results, serial)
    if found is not None or not any(are_results):
        return found
    beside = [
        value if result or position >= variables else None
        for position, (value, result) in enumerate(zip(values, are_results, strict=True))
    ]
    return found_twice(names, beside, serial)


def found_twice(names: Iterable[str], values: Iterable[object], serial: int) -> tuple[Any, str, str] | None:
    """A list or object that a block makes and that is, or may be, at two places: each would get a copy.

        if x > 0:             # staged
            row = [x]
            rows = [row]      # `row` and `rows[0]` are one list

    Args:
        names: The variables.
        values: Their values at the end of the block.
        serial: The serial number before the block.

    Returns:
        The list or object and the two variables; ``None`` if there is none.
    """
    found: dict[int, str] = {}
    for name, value in zip(names, values, strict=True):
        for one in _at_all_places(value, ()):
            if serial_of(one) <= serial:
                continue
            memories = [memory for memory in own_origins(one) if memory.serial > serial]
            first = next((found[id(memory)] for memory in memories if id(memory) in found), None)
            if first is not None:
                return one, first, name
            found.update((id(memory), name) for memory in memories)
    return None


def _at_all_places(value: object, around: tuple[int, ...]) -> Iterator[Any]:
    """The lists and the objects in a value, one that is there twice twice."""
    for leaf in leaves_of(value):
        if id(leaf) in around or is_reference(leaf):
            continue
        if isinstance(leaf, TracedList) or is_object_tree(leaf):
            yield leaf
        if isinstance(leaf, list) or is_record_tree(leaf):
            inside = tuple(list.copy(leaf)) if isinstance(leaf, list) else record_values(leaf)
            yield from _at_all_places(inside, (*around, id(leaf)))


def origins_of(value: object) -> list[Memory]:
    """The memories of the lists and records in a value, and of those that they may be."""
    return [memory for one in containers_in(value) for memory in own_origins(one)]


def own_origins(one: Any) -> list[Memory]:
    """The memories of a list or record, and of those that it may be."""
    if is_record_tree(one):
        return require_trace().objects.joined.memories_of(one, serial_of(one))
    if isinstance(one, TracedList):
        return [one.memory, *(memory for memory, _ in one.shared)]
    return []


def note_origins(
    value: object, entry: object, serial: int, role: Role, others: Iterable[Memory] = ()
) -> None:
    """Notes which older lists and dicts the new ones of a joined value may be.

    Args:
        value: The joined value.
        entry: The variable's value before the loop.
        serial: The serial number before the join; lists and dicts with higher ones were made by it.
        role: Why they may be older ones.
        others: Memories of further lists and dicts that the variable was bound to in a loop.
    """
    joined = require_trace().objects.joined
    new = [one for one in containers_in(value) if serial_of(one) > serial]
    if not new:
        return
    older = _beside(value, entry)
    for one in new:
        beside = older.get(id(one), [])
        if isinstance(one, TracedList):
            one.may_be([other for other in beside if isinstance(other, TracedList)], role)
            lists = [memory for memory in others if not joined.is_of_record(memory)]
            one.shared = (*one.shared, *((memory, memory.version) for memory in lists))
        elif is_record_tree(one):
            joined.may_be(one, [*(memory for other in beside for memory in own_origins(other)), *others])


def note_origins_of_branches(
    value: object, ends: tuple[object, object], kind: ValueKind, before: int, serial: int
) -> None:
    """Notes which older lists and dicts those of a value after an ``if`` may be.

    Args:
        value: The joined value.
        ends: The variable's values at the ends of the branches.
        kind: The kind that holds both.
        before: The serial number before the branches.
        serial: The serial number before the join.
    """
    copied = [one for end in ends for one in kind.copied_lists(end)]
    # A list made in a branch may stand for an older one: `if c: … elif d: ys = xs`.
    lists = [one for one in copied if isinstance(one, TracedList)]
    older = {id(one) for one in lists if serial_of(one) <= before or one.shared}
    is_outside = any(type(one) is list for one in containers_in(ends))
    new = [one for one in containers_in(value) if serial_of(one) > serial]
    beside = [_beside(value, end) for end in ends] if new else []
    for one in new:
        others = [other for of_end in beside for other in of_end.get(id(one), [])]
        if isinstance(one, TracedList):
            found = [other for other in others if id(other) in older]
            if found or is_outside:
                one.may_be(found, Role.JOINED)
        elif is_record_tree(one):
            memories = [memory for other in others for memory in own_origins(other)]
            known = [memory for memory in memories if memory.serial <= before]
            require_trace().objects.joined.may_be(one, known)


def _beside(value: object, other: object) -> dict[int, list[Any]]:
    """For each list and record in a value, by its identity: those of another value that are in its place.

    Where the two are not alike, those are all that the other has there.
    """
    found: dict[int, list[Any]] = {}
    _match(_without_wrapper(value), _without_wrapper(other), found)
    return found


def _match(value: Any, other: Any, found: dict[int, list[Any]]) -> None:
    if is_reference(value):
        return
    if isinstance(value, TracedList):
        is_alike = isinstance(other, list) and not is_reference(other)
        older = [other] if is_alike else containers_in(other)
        found.setdefault(id(value), []).extend(one for one in older if isinstance(one, TracedList))
        parts, others = list.copy(value), list.copy(other) if is_alike else None
    elif is_record_tree(value):
        is_alike = is_record_tree(other)
        older = [other] if is_alike else containers_in(other)
        found.setdefault(id(value), []).extend(one for one in older if is_record_tree(one))
        parts, others = list(record_values(value)), list(record_values(other)) if is_alike else None
    elif isinstance(value, tuple):
        parts, others = list(value), list(other) if isinstance(other, tuple) else None
    else:
        return
    if others is None or len(others) != len(parts):
        others = [other] * len(parts)
    for part, beside in zip(parts, others, strict=True):
        _match(_without_wrapper(part), _without_wrapper(beside), found)


def _without_wrapper(value: Any) -> Any:
    """What may be ``None`` or unbound, itself."""
    return _without_wrapper(value.value) if isinstance(value, (MaybeBound, StagedOptional)) else value


def note_own(values: Iterable[object], ends: list[object], written: list[object], before: int) -> None:
    """Notes the dicts after a loop that are no older ones: its last iteration has made them, and only them.

    Args:
        values: The variables' values after the loop.
        ends: Their values at the end of the last iteration.
        written: What it wrote elsewhere.
        before: The serial number before the loop.
    """
    joined = require_trace().objects.joined
    found = Counter(id(one) for value in [*ends, *written] for one in containers_in(value))
    for value, end in zip(values, ends, strict=True):
        made = containers_in(end)
        if all(serial_of(one) > before and found[id(one)] == 1 and not joined.is_joined(one) for one in made):
            for one in containers_in(value):
                joined.is_its_own(one)


def are_containers(left: ValueKind, right: ValueKind) -> bool:
    """Whether both are kinds of records, or of lists of which one is from outside; and no rows."""
    pair = (left, right)
    if all(isinstance(one, RecordObject) or is_plain_record(one) for one in pair):
        return True
    are_outside = [type(one.known()) is list for one in pair]
    are_of_trace = [one.is_list() and not one.is_row() for one in pair]
    return any(are_outside) and all(map(max, are_outside, are_of_trace))
