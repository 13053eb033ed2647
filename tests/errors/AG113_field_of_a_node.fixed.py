# call: f(Tree(1.0, Tree(2.0)), np.float64(2.0))
from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Tree:
    value: float
    left: Tree | None = None


def f(tree, key):
    while tree.value < key:
        tree = tree.left
    return tree.value * 2
