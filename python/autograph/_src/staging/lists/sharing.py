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
from autograph._src.staging.lists.list_contents import StagedElements
from autograph._src.staging.lists.list_joins import contents_of
from autograph._src.staging.lists.traced_list import TracedList
from autograph._src.staging.tensors.memory import OUTSIDE, Memory, Role, distinct, held, memories_of
from autograph._src.staging.tensors.tensor import Kind, Tensor
from autograph._src.staging.trace.references import is_reference


def memories_in(value: object) -> list[Memory]:
    """All memories that the arrays in a value may refer to."""
    found: list[Memory] = []
    for leaf in leaves_of(value):
        if isinstance(leaf, Tensor) and leaf.kind is Kind.ARRAY:
            leaf.memory.add(leaf)
            found += memories_of(leaf)
        elif isinstance(leaf, np.ndarray):
            found.append(OUTSIDE)
        elif isinstance(leaf, StagedElements):
            found += [memory for memory, _ in leaf.shared]
        elif isinstance(leaf, TracedList) and not is_reference(leaf):
            found += memories_in(contents_of(leaf))
    return distinct(found)


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
        if isinstance(leaf, Tensor) and leaf.kind is Kind.ARRAY:
            leaf.may_share(memories, role)
        elif isinstance(leaf, StagedElements):
            leaf.may_share(memories)
        elif isinstance(leaf, TracedList) and not is_reference(leaf):
            note_sharing(contents_of(leaf), memories, role)
