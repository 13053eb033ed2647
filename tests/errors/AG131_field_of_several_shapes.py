# call: f(Node(1.0, np.ones(3), Node(2.0, np.ones(4))), np.float64(2.0))
from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass
class Node:
    key: float
    values: np.ndarray
    next: Node | None = None


def f(node, key):
    found = 0.0
    while node is not None:
        if node.key == key:
            found = node.values.sum()
        node = node.next if node.key < key else None
    return found
