# run: tree_product(0, VALUES, LEFT, RIGHT) == 120.0
# run: tree_product(np.int64(1), VALUES, LEFT, RIGHT) == 2.0
# run: product_of_a_tree(VALUES, LEFT, RIGHT) == 120.0
# run: leaves_under(np.int64(0), LEFT, RIGHT) == 3
# run: depth_under(np.int64(0), CHILDREN)
# run: ends_in_the_other(np.int64(9))
# run: balanced(np.int64(5))
# run: ackermann(2, np.int64(3)) == 9
# run: hanoi(np.int64(4), np.int64(0), np.int64(2), np.int64(1))
"""Recursion over trees that stand in arrays of indices, and recursion of several calls."""

from dataclasses import dataclass

import numpy as np

VALUES = np.array([1.0, 2.0, 3.0, 4.0, 5.0])
LEFT = np.array([1, -1, 3, -1, -1])
RIGHT = np.array([2, -1, 4, -1, -1])
CHILDREN = np.array([[1, 2], [-1, -1], [3, 4], [-1, -1], [-1, -1]])


def tree_product(node, values, left, right):
    if left[node] < 0:
        return values[node]
    first = tree_product(left[node], values, left, right)
    return first * tree_product(right[node], values, left, right) * values[node]


@dataclass
class Tree:
    """A node by its row in arrays."""

    row: int
    values: np.ndarray
    lefts: np.ndarray
    rights: np.ndarray

    @property
    def is_empty(self):
        return self.row < 0

    @property
    def value(self):
        return self.values[self.row]

    @property
    def left(self):
        return Tree(self.lefts[self.row], self.values, self.lefts, self.rights)

    @property
    def right(self):
        return Tree(self.rights[self.row], self.values, self.lefts, self.rights)


def tree_prod(base, tree):
    """The AutoGraph paper's, word for word."""
    if not tree.is_empty:
        l = tree_prod(base, tree.left)  # noqa: E741
        r = tree_prod(base, tree.right)
        return l * r * tree.value
    else:
        return base


def product_of_a_tree(values, lefts, rights):
    return tree_prod(1.0, Tree(np.argmin(lefts * 0), values, lefts, rights))


def leaves_under(node, left, right):
    if left[node] < 0:
        return 1
    return leaves_under(left[node], left, right) + leaves_under(right[node], left, right)


def depth_under(node, children):
    deepest = 0
    for child in children[node]:
        if child >= 0:
            deepest = max(deepest, depth_under(child, children))
    return deepest + 1


def long(n):
    if n <= 0:
        return 0.5
    return long(n - 3) + short(n - 1)


def short(n):
    if n > 5:
        return short(n - 2)
    else:
        return long(n - 1)


def ends_in_the_other(n):
    return short(n) + long(n)


def balanced(depth):
    if depth == 0:
        return np.ones(2)
    return balanced(depth - 1) * 2 + balanced(depth - 1)


def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, np.int64(1))
    return ackermann(m - 1, ackermann(m, n - 1))


def hanoi(n, source, target, spare):
    if n == 0:
        return 0
    moves = hanoi(n - 1, source, spare, target)
    print("from", source, "to", target)
    return moves + 1 + hanoi(n - 1, spare, target, source)
