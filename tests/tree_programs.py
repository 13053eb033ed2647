"""Programs over trees of objects, with the classes of their nodes: plain Python, for `test_records.py`
and `test_random_trees.py`."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import autograph as ag
import numpy as np


@dataclass
class Tree:
    value: float
    left: Tree | None = None
    right: Tree | None = None

    @property
    def is_leaf(self):
        return self.left is None and self.right is None

    def height(self):
        left = self.left.height() if self.left else 0
        right = self.right.height() if self.right else 0
        return 1 + max(left, right)


@dataclass
class Rose:
    value: float
    children: list[Rose] = field(default_factory=list)


class Pair(NamedTuple):
    head: int
    tail: Pair | None = None


class Node:
    def __init__(self, value: Any, next: Any = None) -> None:
        self.value = value
        self.next = next


@dataclass
class Vectors:
    x: np.ndarray
    next: Vectors | None = None


@dataclass
class Leaf:
    value: float

    def total(self, scale):
        return self.value * scale


@dataclass
class Branch:
    left: Leaf | Branch
    right: Leaf | Branch
    weight: float = 1.0

    def total(self, scale):
        return self.weight * (self.left.total(scale) + self.right.total(scale))


class Unit(enum.Enum):
    METRE = "m"
    FOOT = "ft"


@dataclass
class Expression:
    """An operation by its name; a leaf has a number and a unit."""

    operation: str
    number: float = 0.0
    unit: Unit | None = None
    left: Expression | None = None
    right: Expression | None = None


@dataclass
class Item:
    """A number that may be missing."""

    count: int | None = None
    next: Item | None = None


# Over binary trees


def total(tree):
    if tree is None:
        return 0.0
    return tree.value + total(tree.left) + total(tree.right)


def truths(tree):
    found = tree.value
    if tree.left:
        found = found + 2 * truths(tree.left)
    if not tree.right:
        return found
    return found - truths(tree.right)


def leaves(tree):
    if tree is None:
        return 0
    return 1 if tree.is_leaf else leaves(tree.left) + leaves(tree.right)


def height(tree):
    return tree.height()


def size_and_sum(tree):
    if tree is None:
        return 0, 0.0
    (left, left_sum), (right, right_sum) = size_and_sum(tree.left), size_and_sum(tree.right)
    return left + right + 1, left_sum + right_sum + tree.value


def largest(tree):
    """A node: the object of the caller."""
    best = tree
    for child in (tree.left, tree.right):
        if child is not None:
            other = largest(child)
            if other.value > best.value:
                best = other
    return best


def leftmost(tree):
    while tree.left is not None:
        tree = tree.left
    return tree


def zigzag(tree):
    """Mutual recursion."""
    return 0.0 if tree is None else tree.value - zagzig(tree.left)


def zagzig(tree):
    return 1.0 if tree is None else tree.value * 0.5 - zigzag(tree.right)


def search(tree, key):
    while tree is not None:
        if key < tree.value:
            tree = tree.left
        elif key > tree.value:
            tree = tree.right
        else:
            return True
    return False


def nearest(tree, key):
    """A search that returns early, or not at all."""
    best = None
    while tree:
        if best is None or abs(tree.value - key) < abs(best.value - key):
            best = tree
        if tree.value == key:
            return tree
        tree = tree.left if key < tree.value else tree.right
    return best


def depth_first(tree):
    """A stack of nodes."""
    stack, order, found = [tree], 0, 0.0
    while stack:
        node = stack.pop()
        if node is None:
            continue
        order += 1
        found += order * node.value
        stack.append(node.right)
        stack.append(node.left)
    return found


def shared(tree):
    """Whether two nodes are one object."""
    if tree is None:
        return 0
    same = 1 if tree.left is tree.right and tree.left is not None else 0
    return same + shared(tree.left) + shared(tree.right)


NOTHING = Tree(0.0)
"""Stands for a missing node, as in textbooks."""


def total_with_sentinel(tree):
    if tree is NOTHING:
        return 0.0
    return tree.value + total_with_sentinel(tree.left) + total_with_sentinel(tree.right)


def nearest_above(tree, key):
    best = NOTHING
    while tree is not NOTHING:
        if tree.value > key:
            best = tree
        tree = tree.left if tree.value > key else tree.right
    return best


def is_equal(left, right):
    if left is None or right is None:
        return left is right
    return left.value == right.value and is_equal(left.left, right.left) and is_equal(left.right, right.right)


def scaled(tree, base):
    return base if tree is None else tree.value * scaled(tree.left, base) + scaled(tree.right, base)


# Over strings and members of enumerations


def evaluated(expression, x):
    """What is done depends on a string."""
    if expression.operation == "number":
        return expression.number * (0.5 if expression.unit is Unit.FOOT else 1.0)
    if expression.operation in ("x", "variable"):
        return x
    left, right = evaluated(expression.left, x), evaluated(expression.right, x)
    return left + right if expression.operation == "+" else left * right


def leftmost_names(expression):
    while expression.left is not None and expression.operation != expression.left.operation:
        expression = expression.left
    return expression.operation, expression.unit


# Over lists of children


def rose_total(rose):
    found = rose.value
    for child in rose.children:
        found = found + 0.5 * rose_total(child)
    return found


def rose_sizes(rose):
    """A leaf may have no list at all."""
    if rose.children is None:
        return 1
    return 2 * len(rose.children) + sum(rose_sizes(child) for child in rose.children)


def rose_truths(rose):
    if not rose.children:
        return rose.value
    return rose_truths(rose.children[0]) - rose_truths(rose.children[-1])


def rose_count(rose):
    return 1 + sum(rose_count(child) for child in rose.children)


def rose_last(rose):
    steps = 0
    while rose.children:
        rose = rose.children[-1]
        steps += len(rose.children)
    return rose, steps


def rose_width(rose):
    widest = len(rose.children)
    for position in range(len(rose.children)):
        widest = max(widest, rose_width(rose.children[position]))
    return widest


# Over linked lists


def pair_sum(pair):
    if pair is None:
        return 0
    head, tail = pair
    return head + 2 * pair_sum(tail)


def pair_items(pair):
    return 0 if pair is None else pair[0] + pair_items(pair[1])


def linked(node):
    found = 0
    while node is not None:
        found = 10 * found + node.value
        node = node.next
    return found


def around(node, steps):
    """A ring is walked as long as one likes."""
    found = 0.0
    for _ in range(steps):
        found += node.value
        node = node.next
    return found


def vectors(node, start):
    while node is not None:
        start = start * 0.5 + node.x
        node = node.next
    return start


def vector_norms(node):
    return 0.0 if node is None else np.sqrt(np.sum(node.x**2)) + vector_norms(node.next)


def missing(item):
    found = 0
    while item is not None:
        found = found * 3 + (1 if item.count is None else item.count)
        item = item.next
    return found


# Over two classes


def either_class(node):
    if isinstance(node, Leaf):
        return node.value
    return node.weight * (either_class(node.left) - either_class(node.right))


def virtual(node, scale):
    return node.total(scale)


def has_children(node):
    return has_children(node.left) + has_children(node.right) if hasattr(node, "left") else 1


def linked_list(kind: Any, values: list[Any]) -> Any:
    node = None
    for value in reversed(values):
        node = kind(value, node)
    return node


def ways(program: Any) -> list[Any]:
    """The program staged: run natively, and by the reference interpreter."""
    staged = ag.function(program)

    def interpreted(*arguments: Any) -> Any:
        leaves, concrete = staged._specialise(arguments, {})
        return concrete.interpret(leaves)

    return [staged, interpreted]
