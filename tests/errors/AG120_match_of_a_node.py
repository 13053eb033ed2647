# call: f(Branch(1.0, Leaf(2.0), Branch(3.0, Leaf(4.0), Leaf(5.0))), np.float64(2.0))
from __future__ import annotations

from dataclasses import dataclass

import autograph as ag


@dataclass
class Leaf:
    value: float


@dataclass
class Branch:
    key: float
    left: Leaf | Branch
    right: Leaf | Branch


@ag.do_not_convert
def is_leaf(node):
    match node:
        case Leaf():
            return True
    return False


def f(node, key):
    if is_leaf(node):
        return node.value
    return f(node.left if key < node.key else node.right, key)
