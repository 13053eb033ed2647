"""What a call of the graph gives: a tree of values, whose leaves the graph computes.

return total, Node(value, None)      total  i64[]
                                     Node   value: f64[], the other field is None in all calls
"""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

from autograph.staging.call_arguments import is_same_kind
from autograph.staging.joins import LeafKind, leaf_type, memories_in, note_sharing, restore
from autograph.staging.memory import Memory, Role, distinct
from autograph.staging.trace import Trace
from autograph.trees import Rebuild, flatten


@dataclass
class Results:
    """What a function gives.

    Attributes:
        shape: How the tree is made of leaves.
        leaves: The leaves of one recording.
        kinds: Their types, or values that are the same in all calls.
        rebuild: Makes the tree of leaves.
        memories: Memories from before the call that its arrays may refer to.
        may_be_arguments: Whether they may refer to those of an argument.
    """

    shape: Hashable
    leaves: list[Any]
    kinds: list[LeafKind]
    rebuild: Rebuild
    memories: list[Memory]
    may_be_arguments: bool

    def are_same(self, other: Results) -> bool:
        """Whether both are of the same kinds, so that one recording fits the other."""
        if self.shape != other.shape or self.may_be_arguments != other.may_be_arguments:
            return False
        return all(is_same_kind(one, two) for one, two in zip(self.kinds, other.kinds, strict=True))

    def restored(self, trace: Trace, values: list[int], shared: list[Memory]) -> Any:
        """The tree of the values that a call gives.

        Args:
            trace: What records.
            values: The values.
            shared: Memories of the arguments.
        """
        leaves = []
        for kind, leaf in zip(self.kinds, self.leaves, strict=True):
            value = restore(values, kind, "the result", leaf)
            memories = [*self.memories, *shared] if self.may_be_arguments else []
            note_sharing(value, distinct(memories), Role.JOINED)
            leaves.append(value)
        return _as_created(trace, self.rebuild(leaves))


def results_of(value: Any, serial: int) -> Results:
    """What a function gave in one recording.

    Args:
        value: What it returned.
        serial: What has a lower serial number existed before the call.
    """
    leaves: list[Any] = []
    shape, rebuild = flatten(value, leaves)
    memories = [one for leaf in leaves for one in memories_in(leaf) if one.serial <= serial]
    kinds = [leaf_type(leaf) for leaf in leaves]
    return Results(shape, leaves, kinds, rebuild, distinct(memories), bool(memories))


def _as_created(trace: Trace, value: Any) -> Any:
    """Tells the journal of the containers in a tree that a call gave: they are new."""
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
        _as_created(trace, part)
    return trace.journal.created(value)
