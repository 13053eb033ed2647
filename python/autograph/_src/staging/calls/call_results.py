"""The results of functions of the graph: a tree of values whose leaves the graph computes.

    return total, Node(value, None)      total  int64[]
                                         Node   value: float64[]; the other field is None in all calls

The caller rebuilds the tree from the leaves.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from autograph._src.dict_classes import DICT_CLASSES, dict_of, dict_word, is_dict_tree
from autograph._src.staging.calls.result_origins import (
    Origin,
    is_chosen_outside,
    note_origins_of_result,
    origins_of_result,
)
from autograph._src.staging.kinds.static import Static
from autograph._src.staging.kinds.value_kind import ValueKind, kind_of
from autograph._src.staging.lists.sharing import memories_in, note_sharing
from autograph._src.staging.lists.traced_list import StagedList, TracedList, made_list
from autograph._src.staging.objects.list_object import list_argument
from autograph._src.staging.tensors.memory import Memory, Role, distinct
from autograph._src.staging.trace.record_classes import is_named_tuple
from autograph._src.staging.trace.references import is_reference
from autograph._src.staging.trace.trace import Trace
from autograph._src.trees import Rebuild, flatten


@dataclass
class Results:
    """The results of a function.

    Attributes:
        shape: The tree structure around the leaves, hashable.
        leaves: The leaves of one recording.
        kinds: The kind of each leaf; ``Static`` for a value equal in all calls.
        rebuild: Makes the tree from leaves.
        memories: Memories from before the call that arrays in the result may refer to.
        origins: What the lists and records in the result may be, in the order of the result.
        may_be_arguments: Whether arrays or lists in the result may be aliases of arguments.
        is_never: Whether every path raises, so that there is no result.
    """

    shape: Hashable
    leaves: list[Any]
    kinds: list[ValueKind]
    rebuild: Rebuild
    memories: list[Memory]
    origins: list[Origin]
    may_be_arguments: bool
    is_never: bool = False

    def are_same(self, other: Results) -> bool:
        """Whether both have the same structure, kinds and origins: a recording for one fits the other."""
        if self.is_never != other.is_never:
            return False
        if self.shape != other.shape or self.may_be_arguments != other.may_be_arguments:
            return False
        # A branch after a recursive call may give an argument where the others make a new container.
        if self.origins != other.origins:
            return False
        return all(one.is_same(two) for one, two in zip(self.kinds, other.kinds, strict=True))

    def restored(
        self, trace: Trace, values: list[int], shared: list[Memory], arguments: Sequence[object]
    ) -> object:
        """Rebuilds the result tree from the graph values of a call.

        Args:
            trace: The trace.
            values: The graph values.
            shared: Memories of the arguments.
            arguments: The arguments.
        """
        leaves = []
        for kind in self.kinds:
            value = kind.unpack(values, "the result")
            memories = [*self.memories, *shared] if self.may_be_arguments else []
            note_sharing(value, distinct(memories), Role.JOINED)
            leaves.append(value)
        kept = [kind.value for kind in self.kinds if isinstance(kind, Static)]
        result = _as_created(trace, self.rebuild(leaves), kept)
        note_origins_of_result(trace, result, self.origins, arguments)
        return result


def results_of(trace: Trace, value: object, serial: int, parameters: Sequence[object]) -> Results:
    """The results of a function in one recording.

    Args:
        trace: The trace.
        value: The returned value.
        serial: The serial number before the call; objects with a higher one were made in the call.
        parameters: The values of its parameters.
    """
    lists = [one for one in parameters if isinstance(one, TracedList) and not is_reference(one)]
    leaves: list[Any] = []
    shape, rebuild = flatten(_sealed(trace, value, serial), leaves)
    leaves = [leaf.value if isinstance(leaf, _Sealed) else leaf for leaf in leaves]
    memories = [one for leaf in leaves for one in memories_in(leaf) if one.serial <= serial]
    kinds: list[ValueKind] = []
    for leaf in leaves:
        if not isinstance(leaf, TracedList) or is_reference(leaf):
            kinds.append(kind_of(leaf))
        elif any(leaf is one for one in lists) or not trace.journal.is_from_before(leaf, serial):
            kinds.append(list_argument(leaf))
        else:
            kinds.append(Static(leaf))  # A list from around the function is one object in all calls.
    others = [one for leaf in leaves if isinstance(leaf, TracedList) for one, _ in leaf.shared]
    may_be = [*memories, *others, *(leaf for leaf in leaves if any(leaf is one for one in lists))]
    origins = origins_of_result(value, serial, parameters)
    return Results(shape, leaves, kinds, rebuild, distinct(memories), origins, bool(may_be))


class _Sealed:
    """A placeholder for a container from before the call, which is returned as the same object."""

    def __init__(self, value: Any) -> None:
        self.value = value


def _sealed(trace: Trace, value: Any, serial: int) -> object:
    """A tree with containers from before the call sealed; those made in the call are copied as plain ones."""

    def inside(part: object) -> Any:
        return _sealed(trace, part, serial)

    kind: Any = type(value)
    if kind is tuple:
        return tuple(map(inside, value))
    if is_named_tuple(kind):
        return kind(*map(inside, value))
    is_record = dataclasses.is_dataclass(value) and not isinstance(value, type)
    is_list = issubclass(kind, list)
    if is_reference(value):
        return _Sealed(value)
    if isinstance(value, TracedList) and (
        isinstance(value, StagedList) or value.shared or is_chosen_outside(value)
    ):
        return _Sealed(value)
    if not is_list and kind not in DICT_CLASSES and not is_record:
        return value
    if trace.journal.is_from_before(value, serial):
        return _Sealed(value)
    if is_list:
        return list(map(inside, value))
    if kind in DICT_CLASSES:
        return dict_of(dict_word(value), [(key, inside(part)) for key, part in value.items()])
    copy = object.__new__(kind)
    for field in dataclasses.fields(value):
        object.__setattr__(copy, field.name, inside(getattr(value, field.name)))
    return copy


def never() -> Results:
    """The results of a function that always raises."""
    shape, rebuild = flatten((), [])
    return Results(shape, [], [], rebuild, [], [], False, is_never=True)


def _as_created(trace: Trace, value: Any, kept: list[Any]) -> Any:
    """Tells the journal of the new containers in the result of a call; those in ``kept`` are old.

    Gives the value with the lists of the trace in place of plain ones.
    """
    if any(value is one for one in kept) or isinstance(value, TracedList) or is_reference(value):
        return value

    def inside(part: object) -> object:
        return _as_created(trace, part, kept)

    kind = type(value)
    if kind is tuple:
        return tuple(map(inside, value))
    if is_named_tuple(kind):
        return kind(*map(inside, value))
    if kind is list:
        return made_list(list(map(inside, value)))
    if is_dict_tree(value):
        for key, part in value.items():
            value[key] = inside(part)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for field in dataclasses.fields(value):
            object.__setattr__(value, field.name, inside(getattr(value, field.name)))
    else:
        return value
    return trace.journal.created(value)
