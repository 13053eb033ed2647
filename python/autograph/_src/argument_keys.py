"""The key of an argument: two calls whose arguments have equal keys need one specialisation.

>>> leaf_key(0.5) == leaf_key(2.5), leaf_key(5) == leaf_key(6)
(True, False)
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograph._src.staging.objects.nodes_of_call import Nodes


def leaf_key(leaf: Any) -> Hashable:
    """The cache key of an argument: the type of an array or float, the value of anything else."""
    kind = type(leaf)
    if kind is np.ndarray:
        return (leaf.dtype, leaf.shape)
    if kind is float:
        return float
    if kind is complex:
        return complex
    if kind is np.random.Generator:
        return "generator"  # The generator's stream is an input of the graph, so its state is no key.
    if kind is Nodes:
        return "nodes"  # The tables of the nodes hold all that the graph depends on.
    if kind in (int, bool, str, bytes, type(None)):
        return (kind, leaf)
    if isinstance(leaf, np.generic):
        return leaf.dtype
    return Identity(leaf)


@dataclass(frozen=True, eq=False)
class Identity:
    """A key that is one object; it keeps the object, so that its identity stays its own."""

    value: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Identity) and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)
