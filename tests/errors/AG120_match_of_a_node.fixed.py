# call: f(Branch(1.0, Leaf(2.0), Leaf(3.0)), np.float64(2.0))
from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Leaf:
    value: float


@dataclass
class Branch:
    key: float
    left: Leaf | Branch
    right: Leaf | Branch


def f(node, key):
    if isinstance(node, Leaf):
        return node.value
    return f(node.left if key < node.key else node.right, key)
