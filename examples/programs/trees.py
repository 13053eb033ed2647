"""Trees and linked lists of objects: recursion and loops over nodes are one graph for all shapes.

python examples/programs/trees.py
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import autograph as ag
import numpy as np


@dataclass
class Tree:
    """A binary tree, in which what is missing is an empty tree."""

    is_empty: bool
    value: float = 0.0
    # `Any`: that only an empty tree has none, a type checker cannot know.
    left: Tree | Any = None
    right: Tree | Any = None


def tree_prod(base: float, tree: Tree) -> float:
    """The program of the AutoGraph paper (§8), word for word."""
    if not tree.is_empty:
        l = tree_prod(base, tree.left)  # noqa: E741
        r = tree_prod(base, tree.right)
        return l * r * tree.value
    else:
        return base


@dataclass
class Entry:
    """A binary search tree."""

    key: float
    value: int
    less: Entry | None = None
    more: Entry | None = None


def lookup(entry: Entry | None, key: float, default: int) -> int:
    """A loop over nodes, with a key that only the run knows."""
    while entry is not None:
        if entry.key == key:
            return entry.value
        entry = entry.less if key < entry.key else entry.more
    return default


class Item(NamedTuple):
    """A linked list."""

    head: float
    tail: Item | None = None


def horner(item: Item | None, x: float) -> float:
    """The polynomial whose coefficients are the items, the highest power first."""
    total = 0.0
    while item is not None:
        total = total * x + item.head
        item = item.tail
    return total


@dataclass
class Folder:
    """A tree with any number of children."""

    size: int
    folders: list[Folder] = field(default_factory=list)

    def total(self) -> int:
        """Its size with all that is in it."""
        return self.size + sum([folder.total() for folder in self.folders])


def largest(folder: Folder, limit: int) -> int:
    """The total of the largest folder that is not over a limit, with those in it."""
    total = folder.total()
    best = total if total <= limit else 0
    for inner in folder.folders:
        best = max(best, largest(inner, limit))
    return best


@dataclass
class Constant:
    """A number."""

    value: float

    def at(self, x: float) -> float:
        """Its value."""
        return self.value


@dataclass
class Variable:
    """A power of the variable."""

    power: int

    def at(self, x: float) -> float:
        """Its value."""
        return x**self.power


@dataclass
class Sum:
    """Two expressions."""

    left: Constant | Variable | Sum
    right: Constant | Variable | Sum

    def at(self, x: float) -> float:
        """Its value."""
        return self.left.at(x) + self.right.at(x)


def evaluate(expression: Constant | Variable | Sum, x: float) -> float:
    """The value of an expression: which method is called depends on the class of the node."""
    return expression.at(x)


def empty() -> Tree:
    return Tree(True)


PRODUCT = Tree(
    False,
    2.0,
    Tree(False, 3.0, empty(), empty()),
    Tree(False, 4.0, empty(), Tree(False, 5.0, empty(), empty())),
)
ENTRIES = Entry(5.0, 50, Entry(2.0, 20, None, Entry(3.0, 30)), Entry(7.0, 70))
ITEMS = Item(2.0, Item(-1.0, Item(0.5)))
FOLDERS = Folder(10, [Folder(400, [Folder(5)]), Folder(30, [Folder(1), Folder(2), Folder(60)])])
EXPRESSION = Sum(Sum(Variable(2), Constant(3.0)), Variable(1))

PROGRAMS = {
    tree_prod: [(2.0, PRODUCT), (np.float64(0.5), PRODUCT), (2.0, empty())],
    lookup: [(ENTRIES, np.float64(3.0), 0), (ENTRIES, np.float64(4.0), 0), (None, np.float64(1.0), -1)],
    horner: [(ITEMS, np.float64(2.0)), (ITEMS.tail, np.float64(2.0))],
    largest: [(FOLDERS, 100), (FOLDERS, 500)],
    evaluate: [(EXPRESSION, np.float64(2.0)), (Constant(1.0), np.float64(2.0))],
}

if __name__ == "__main__":
    product = ag.function(tree_prod)
    for tree in (PRODUCT, PRODUCT.left, PRODUCT.right):
        print(f"product {product(2.0, tree):g}")
    print(product.signatures())
