# call: f(Tree(1.0, Tree(2.0)))
from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Tree:
    value: float
    left: Tree | None = None


def f(tree):
    rest = 0.0 if tree.left is None else f(tree.left)
    return 2 * tree.value + rest
