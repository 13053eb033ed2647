# call: f(Node(1.0, np.ones(3), Node(2.0, np.ones(3))), np.float64(2.0))
from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass
class Node:
    key: float
    values: np.ndarray
    next: Node | None = None


def f(node, key):
    while node.key < key:
        node = node.next
    values = node.values.copy()
    values *= 2
    return values
