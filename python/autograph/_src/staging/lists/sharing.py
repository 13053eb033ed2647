"""Tracks which memories the arrays in a variable's value may alias: of a tensor, tuple or list.

    y = x if c > 0 else x * 2       # afterwards `y` may be the array `x`

``tensors/memory.py`` explains what an alias forbids.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

import numpy as np

from autograph._src.operators.places import Elements
from autograph._src.staging.kinds.leaves import leaves_of
from autograph._src.staging.tensors.memory import OUTSIDE, Memory, Role, distinct, held, memories_of
from autograph._src.staging.tensors.tensor import Form, Tensor
from autograph._src.staging.trace.active import require_trace
from autograph._src.staging.trace.record_trees import is_record_tree, record_values


class HoldsArrays:
    """The base class of what is no tensor and may hold arrays: lists, and the contents of lists."""

    __slots__ = ()

    def ag_memories(self) -> list[Memory]:
        """The memories that the arrays in it may refer to."""
        raise NotImplementedError

    def ag_note_sharing(self, memories: list[Memory], role: Role, serial: int) -> None:
        """Notes which memories the arrays in it may refer to, if they were made after a serial number."""
        raise NotImplementedError


def memories_in(value: object, around: tuple[int, ...] = ()) -> list[Memory]:
    """All memories that the arrays in a value may refer to.

    Args:
        value: The value.
        around: The identities of the records and plain lists that it is in.
    """
    found: list[Memory] = []
    for leaf in leaves_of(value):
        if isinstance(leaf, Tensor) and leaf.form is Form.ARRAY:
            leaf.memory.add(leaf)
            found += memories_of(leaf)
        elif isinstance(leaf, np.ndarray):
            found.append(OUTSIDE)
        elif isinstance(leaf, HoldsArrays):
            found += leaf.ag_memories()
        elif type(leaf) is list or is_record_tree(leaf):
            found += _memories_inside(leaf, around)
    return distinct(found)


def _memories_inside(container: Any, around: tuple[int, ...]) -> list[Memory]:
    if id(container) in around:
        return []  # It holds itself.
    inside = tuple(container) if isinstance(container, list) else record_values(container)
    return memories_in(inside, (*around, id(container)))


def held_values(values: tuple[Any, ...]) -> AbstractContextManager[None]:
    """Marks the tensors of a state as held by the recording while the ``with`` block runs.

    The reference count then still shows whether the program itself uses them. A tensor inside a tuple is not
    marked: the tuple holds it, whoever holds the tuple.
    """
    parts = [part for value in values for part in (value if isinstance(value, Elements) else (value,))]
    return held([part for part in parts if isinstance(part, Tensor)])


def note_sharing(value: object, memories: list[Memory], role: Role, serial: int = -1) -> None:
    """Notes which memories the arrays in a joined value may refer to.

    Args:
        value: The joined value.
        memories: The memories.
        role: Why they may refer to them.
        serial: The serial number before the join. What is older is in the value as it was: a list in a
            dict of which a loop writes another item.
    """
    journal = require_trace().journal
    for leaf in leaves_of(value):
        is_container = isinstance(leaf, list) or is_record_tree(leaf)
        if is_container and serial >= 0 and journal.is_from_before(leaf, serial):
            continue
        if isinstance(leaf, Tensor) and leaf.form is Form.ARRAY:
            if leaf.serial > serial:
                leaf.may_share(memories, role)
            continue
        inside = Role.CARRIED_PART if role is Role.CARRIED else role
        if isinstance(leaf, HoldsArrays):
            leaf.ag_note_sharing(memories, inside, serial)
        elif is_record_tree(leaf):  # One that a join has made: it does not hold itself.
            note_sharing(record_values(leaf), memories, inside, serial)
