# call: f(Tree(1.0, Tree(2.0)), np.float64(3.0))
from __future__ import annotations

from dataclasses import dataclass

import autograph as ag


@dataclass
class Tree:
    key: float
    left: Tree | None = None


@ag.do_not_convert
def is_there(tree):
    return bool(tree)


def f(tree, key):
    steps = 0
    while is_there(tree) and tree.key != key:
        tree = tree.left
        steps += 1
    return steps
