"""Which memories the arrays of a variable's value may refer to: of a tensor, of a tuple or list of some.

y = x if c > 0 else x * 2       # after it, `y` may be the array `x`
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
    """All that the arrays of a variable's value may refer to."""
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
    """Within it a recording holds the values of a state, which the program may have replaced.

    What is in a tuple of the program's is held by the tuple, which others may hold as well.
    """
    parts = [part for value in values for part in (value if isinstance(value, Elements) else (value,))]
    return held([part for part in parts if isinstance(part, Tensor)])


def note_sharing(value: object, memories: list[Memory], role: Role) -> None:
    """Notes for the arrays of a joined value which memories they may refer to."""
    for leaf in leaves_of(value):
        if isinstance(leaf, Tensor) and leaf.kind is Kind.ARRAY:
            leaf.may_share(memories, role)
        elif isinstance(leaf, StagedElements):
            leaf.may_share(memories)
        elif isinstance(leaf, TracedList) and not is_reference(leaf):
            note_sharing(contents_of(leaf), memories, role)
