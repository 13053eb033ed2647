# call: f(Branch(1.0, Leaf(2.0), Branch(3.0, Leaf(4.0), Leaf(5.0))), np.float64(2.0))
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
    match node:
        case Leaf(value=value):
            return value
    return f(node.left if key < node.key else node.right, key)
