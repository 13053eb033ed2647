"""What a call of the graph gives: a tree of values, whose leaves the graph computes.

return total, Node(value, None)      total  i64[]
                                     Node   value: f64[], the other field is None in all calls
"""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

from autograph._src.staging.kinds.leaf_kind import LeafKind, kind_of
from autograph._src.staging.kinds.static import Static
from autograph._src.staging.lists.sharing import memories_in, note_sharing
from autograph._src.staging.lists.traced_list import StagedList, TracedList, made_list
from autograph._src.staging.objects.list_object import ListObject, list_argument
from autograph._src.staging.tensors.memory import Memory, Role, distinct
from autograph._src.staging.trace.references import is_reference
from autograph._src.staging.trace.trace import Trace
from autograph._src.trees import Rebuild, flatten


@dataclass
class Results:
    """What a function gives.

    Attributes:
        shape: How the tree is made of leaves.
        leaves: The leaves of one recording.
        kinds: Their types, or values that are the same in all calls.
        rebuild: Makes the tree of leaves.
        memories: Memories from before the call that its arrays may refer to.
        lists: Those of other lists that its lists may be.
        may_be_arguments: Whether they may refer to those of an argument.
        is_never: Whether the function ends by exceptions only, and gives nothing.
    """

    shape: Hashable
    leaves: list[Any]
    kinds: list[LeafKind]
    rebuild: Rebuild
    memories: list[Memory]
    lists: list[Memory]
    may_be_arguments: bool
    is_never: bool = False

    def are_same(self, other: Results) -> bool:
        """Whether both are of the same kinds, so that one recording fits the other."""
        if self.is_never != other.is_never:
            return False
        if self.shape != other.shape or self.may_be_arguments != other.may_be_arguments:
            return False
        return all(one.is_same(two) for one, two in zip(self.kinds, other.kinds, strict=True))

    def restored(
        self, trace: Trace, values: list[int], shared: list[Memory], lists: list[TracedList]
    ) -> object:
        """The tree of the values that a call gives.

        Args:
            trace: What records.
            values: The values.
            shared: Memories of the arguments.
            lists: The lists among the arguments.
        """
        leaves = []
        for kind in self.kinds:
            value = kind.unpack(values, "the result")
            memories = [*self.memories, *shared] if self.may_be_arguments else []
            note_sharing(value, distinct(memories), Role.JOINED)
            if isinstance(kind, ListObject) and self.may_be_arguments:
                value.may_be(lists, Role.JOINED)
                value.shared = (*value.shared, *((one, one.version) for one in self.lists))
            leaves.append(value)
        kept = [kind.value for kind in self.kinds if isinstance(kind, Static)]
        return _as_created(trace, self.rebuild(leaves), kept)


def results_of(trace: Trace, value: object, serial: int, lists: list[TracedList]) -> Results:
    """What a function gave in one recording.

    Args:
        trace: What records.
        value: What it returned.
        serial: What has a lower serial number existed before the call.
        lists: The lists that are its parameters.
    """
    leaves: list[Any] = []
    shape, rebuild = flatten(_sealed(trace, value, serial), leaves)
    leaves = [leaf.value if isinstance(leaf, _Sealed) else leaf for leaf in leaves]
    memories = [one for leaf in leaves for one in memories_in(leaf) if one.serial <= serial]
    kinds: list[LeafKind] = []
    for leaf in leaves:
        if not isinstance(leaf, TracedList) or is_reference(leaf):
            kinds.append(kind_of(leaf))
        elif any(leaf is one for one in lists) or not trace.journal.is_from_before(leaf, serial):
            kinds.append(list_argument(leaf))
        else:
            kinds.append(Static(leaf))  # A list around the function is one object in all calls.
    others = [one for leaf in leaves if isinstance(leaf, TracedList) for one, _ in leaf.shared]
    may_be = [*memories, *others, *(leaf for leaf in leaves if any(leaf is one for one in lists))]
    return Results(shape, leaves, kinds, rebuild, distinct(memories), distinct(others), bool(may_be))


class _Sealed:
    """Stands for a container from before the call, which is given as the object that it is."""

    def __init__(self, value: Any) -> None:
        self.value = value


def _sealed(trace: Trace, value: Any, serial: int) -> object:
    """A tree with containers from before the call sealed; those made in the call are copied."""

    def inside(part: object) -> Any:
        return _sealed(trace, part, serial)

    kind: Any = type(value)
    if kind is tuple:
        return tuple(map(inside, value))
    if isinstance(value, tuple) and hasattr(kind, "_fields"):
        return kind(*map(inside, value))
    is_record = dataclasses.is_dataclass(value) and not isinstance(value, type)
    is_list = issubclass(kind, list)
    if is_reference(value):
        return _Sealed(value)
    if isinstance(value, TracedList) and (isinstance(value, StagedList) or value.shared):
        return _Sealed(value)
    if not is_list and kind is not dict and not is_record:
        return value
    if trace.journal.is_from_before(value, serial):
        return _Sealed(value)
    if is_list:
        return list(map(inside, value))
    if kind is dict:
        return {key: inside(part) for key, part in value.items()}
    copy = object.__new__(kind)
    for field in dataclasses.fields(value):
        object.__setattr__(copy, field.name, inside(getattr(value, field.name)))
    return copy


def never() -> Results:
    """What a function gives that ends by exceptions only."""
    shape, rebuild = flatten((), [])
    return Results(shape, [], [], rebuild, [], [], False, is_never=True)


def _as_created(trace: Trace, value: object, kept: list[Any]) -> object:
    """Tells the journal of the containers in a tree that a call gave: they are new, or among those kept."""
    if any(value is one for one in kept) or isinstance(value, TracedList) or is_reference(value):
        return value
    if isinstance(value, tuple):
        parts: list[Any] = list(value)
    elif isinstance(value, list):
        parts = value
    elif type(value) is dict:
        parts = list(value.values())
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        parts = [getattr(value, field.name) for field in dataclasses.fields(value)]
    else:
        return value
    for part in parts:
        _as_created(trace, part, kept)
    return made_list(value) if type(value) is list else trace.journal.created(value)
