"""Tracks which memories the arrays in a variable's value may alias: of a tensor, tuple or list.

    y = x if c > 0 else x * 2       # afterwards `y` may be the array `x`

``tensors/memory.py`` explains what an alias forbids.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

import numpy as np

from autograph._src.dict_classes import is_dict_tree
from autograph._src.operators.places import Elements
from autograph._src.staging.kinds.leaves import leaves_of
from autograph._src.staging.tensors.memory import OUTSIDE, Memory, Role, distinct, held, memories_of
from autograph._src.staging.tensors.tensor import Form, Tensor


class HoldsArrays:
    """The base class of what is no tensor and may hold arrays: lists, and the contents of lists."""

    __slots__ = ()

    def ag_memories(self) -> list[Memory]:
        """The memories that the arrays in it may refer to."""
        raise NotImplementedError

    def ag_note_sharing(self, memories: list[Memory], role: Role) -> None:
        """Notes which memories the arrays in it may refer to."""
        raise NotImplementedError


def memories_in(value: object, around: tuple[int, ...] = ()) -> list[Memory]:
    """All memories that the arrays in a value may refer to.

    Args:
        value: The value.
        around: The identities of the dicts and plain lists that it is in.
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
        elif type(leaf) is list or is_dict_tree(leaf):
            found += _memories_inside(leaf, around)
    return distinct(found)


def _memories_inside(container: Any, around: tuple[int, ...]) -> list[Memory]:
    if id(container) in around:
        return []  # It holds itself.
    inside = tuple(container.values() if isinstance(container, dict) else container)
    return memories_in(inside, (*around, id(container)))


def held_values(values: tuple[Any, ...]) -> AbstractContextManager[None]:
    """Marks the tensors of a state as held by the recording while the ``with`` block runs.

    The reference count then still shows whether the program itself uses them. A tensor inside a tuple is not
    marked: the tuple holds it, whoever holds the tuple.
    """
    parts = [part for value in values for part in (value if isinstance(value, Elements) else (value,))]
    return held([part for part in parts if isinstance(part, Tensor)])


def note_sharing(value: object, memories: list[Memory], role: Role) -> None:
    """Notes which memories the arrays in a joined value may refer to."""
    for leaf in leaves_of(value):
        if isinstance(leaf, Tensor) and leaf.form is Form.ARRAY:
            leaf.may_share(memories, role)
        elif isinstance(leaf, HoldsArrays):
            leaf.ag_note_sharing(memories, role)
        elif is_dict_tree(leaf):  # One that a join has made: it does not hold itself.
            note_sharing(tuple(leaf.values()), memories, role)
