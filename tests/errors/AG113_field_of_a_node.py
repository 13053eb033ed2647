# call: f(Tree(1.0, Tree(2.0)))
from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Tree:
    value: float
    left: Tree | None = None


def f(tree):
    if tree.left is not None:
        f(tree.left)
    tree.value *= 2
