# call: f(Node(1.0, "first", Node(2.0, 5.0)), np.float64(2.0))
from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass
class Node:
    key: float
    label: Any = None
    next: Node | None = None


def f(node, key):
    while node is not None and node.key < key:
        node = node.next
    return node.label
