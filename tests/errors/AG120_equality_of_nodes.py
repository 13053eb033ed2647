# call: f(CHAIN, CHAIN.left, np.float64(2.0))
from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Tree:
    key: float
    left: Tree | None = None


def f(tree, end, key):
    steps = 0
    while tree.key < key:
        tree = tree.left
        steps += 1
    return steps, tree == end


CHAIN = Tree(1.0, Tree(2.0))
