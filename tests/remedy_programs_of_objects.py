"""Programs of objects, branches and recursions that are refused, beside those after what the help says."""

from __future__ import annotations

import functools
from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from typing import Any

import autograph as ag
import numpy as np
from remedies import XS, N, helped


class Box:
    pass


class Holder:
    def __init__(self, value=0.0):
        self.value = value


@dataclass
class Tree:
    key: float
    left: Tree | None = None


@dataclass
class Node:
    key: float
    label: Any = None
    next: Node | None = None


CHAIN = Tree(1.0, Tree(2.0, Tree(4.0)))


@helped("set it before the `if` as well, for instance in `__init__`", np.float64(1.0))
class AttributeInOneBranch:
    def refused(x):
        box = Box()
        if x > 0:
            box.value = x
        return box.value

    def fixed(x):
        box = Box()
        box.value = 0.0
        if x > 0:
            box.value = x
        return box.value


@helped("set it before that as well, for instance in `__init__`", N)
class AttributeSetInALoop:
    def refused(n):
        box = Box()
        for i in range(n):
            box.value = i
        return box.value

    def fixed(n):
        box = Holder(0)
        for i in range(n):
            box.value = i
        return box.value


class Counting:
    def __init__(self):
        self.count = 0

    def __add__(self, other):
        self.count += 1
        return other

    def add(self, other):
        self.count += 1
        return other


@helped(
    "make the change in a function or method that is called by its name, or after the statement",
    np.float64(1.0),
)
class ChangedUnseen:
    def refused(x):
        counter = Counting()
        if x > 0:
            x = counter + x
        return x, counter.count

    def fixed(x):
        counter = Counting()
        if x > 0:
            x = counter.add(x)
        return x, counter.count


@helped("make it after the statement", XS)
class PartialInABranch:
    def refused(x):
        if x[0] > 1:
            add = functools.partial(np.add, x * 2)
        else:
            raise ValueError("nothing to add")
        return add(x)

    def fixed(x):
        if not x[0] > 1:
            raise ValueError("nothing to add")
        add = functools.partial(np.add, x * 2)
        return add(x)


@helped("bind its elements to variables of their own", np.float64(3.0), Counter(a=1), Counter(a=2))
class CounterOfTheCaller:
    def refused(x, one, other):
        found = one
        if x > 0:
            found = other
        return found["a"] * x

    def fixed(x, one, other):
        found = one["a"]
        if x > 0:
            found = other["a"]
        return found * x


@helped("give both the same keys where they are made, with a first value", N)
class RowsOfSeveralKeys:
    def refused(n):
        rows = []
        for i in range(n):
            if i % 2 == 0:
                rows.append({"a": i})
            else:
                rows.append({"b": i})
        return rows

    def fixed(n):
        rows = []
        for i in range(n):
            if i % 2 == 0:
                rows.append({"a": i, "b": 0})
            else:
                rows.append({"a": 0, "b": i})
        return rows


@helped("keep objects of one class, with the same attributes or keys", N)
class RowsOfTwoClasses:
    def refused(n):
        rows = []
        for i in range(n):
            if i % 2 == 0:
                rows.append(Holder(i))
            else:
                rows.append({"value": i})
        return rows[0].value

    def fixed(n):
        rows = []
        for i in range(n):
            if i % 2 == 0:
                rows.append(Holder(i))
            else:
                rows.append(Holder(2 * i))
        return rows[0].value


class Item:
    def __init__(self, value, shelf):
        self.value = value
        shelf.append(self)


@helped("do that after `Item(…)`", N)
class PutAwayByItsInit:
    def refused(n):
        shelf, items = [], []
        for i in range(n):
            items.append(Item(i, shelf))
        return items[0].value

    def fixed(n):
        shelf, items = [], []
        for i in range(n):
            item = Holder(i)
            shelf.append(item)
            items.append(item)
        return items[0].value


@helped("compare with `is`", N)
class HashOfARow:
    def refused(n):
        items = []
        for i in range(n):
            items.append(Holder(i))
        seen = {items[0]}
        return items[1] in seen

    def fixed(n):
        items = []
        for i in range(n):
            items.append(Holder(i))
        seen = items[0]
        return items[1] is seen


@helped("use `is`", CHAIN, CHAIN.left, np.float64(2.0))
class EqualityOfNodes:
    def refused(tree, end, key):
        steps = 0
        while tree.key < key:
            tree = tree.left
            steps += 1
        return steps, tree == end

    def fixed(tree, end, key):
        steps = 0
        while tree.key < key:
            tree = tree.left
            steps += 1
        return steps, tree is end


@helped(
    "give it one type in all nodes: a number, an array of one shape, or one of these or None",
    Node(1.0, "first", Node(2.0, 5.0)),
    np.float64(2.0),
)
class FieldOfSeveralTypes:
    def refused(node, key):
        while node is not None and node.key < key:
            node = node.next
        return node.label

    def fixed(node, key):
        node = Node(1.0, 0.0, Node(2.0, 5.0))
        while node is not None and node.key < key:
            node = node.next
        return node.label


@helped("copy it before that: `x = x.copy()`, and use one of the two ways", XS, N)
class WrittenAndRebound:
    def refused(x, n):
        for i in range(n):
            x[0] = x[0] + i
            x = x * 2
        return x

    def fixed(x, n):
        x = x.copy()
        for i in range(n):
            x[0] = x[0] + i
            x *= 2
        return x


@helped("use one of the two ways", XS, N)
class ElementWrittenAndReplaced:
    def refused(x, n):
        pair = (x, 0.0)
        for i in range(n):
            pair[0][0] = i
            pair = (pair[0] * 2, 1.0)
        return pair

    def fixed(x, n):
        pair = (x.copy(), 0.0)
        for i in range(n):
            pair = (pair[0] * 2, 1.0)
        return pair


@helped("declare it as a field of the class", CHAIN, np.float64(2.0))
class FieldThatOneMayHave:
    def refused(tree, key):
        while tree.key < key:
            tree = tree.left
        return tree.colour

    def fixed(tree, key):
        while tree.key < key:
            tree = tree.left
        return tree.key


class Doubling:
    def __get__(self, owner, kind=None):
        return owner.key * 2


class Described(Tree):
    doubled = Doubling()


class WithProperty(Tree):
    @property
    def doubled(self):
        return self.key * 2


@helped("use a property or a method", Described(1.0, Described(2.0)), np.float64(2.0))
class DescriptorOfANode:
    def refused(tree, key):
        while tree.key < key:
            tree = tree.left
        return tree.doubled

    def fixed(tree, key):
        tree = WithProperty(1.0, WithProperty(2.0))
        while tree.key < key:
            tree = tree.left
        return tree.doubled


@helped("make the factory once, outside of the function", N)
class FactoriesMadeAnew:
    def refused(n):
        if n > 1:
            d = defaultdict(lambda: 0)
        else:
            d = defaultdict(lambda: 1)
        d["a"] = n
        return d["a"]

    def fixed(n):
        if n > 1:
            d = defaultdict(int)
        else:
            d = defaultdict(int)
        d["a"] = n
        return d["a"]


@dataclass
class Parent:
    key: float
    children: list[Parent] = field(default_factory=list)


PARENT = Parent(1.0, [Parent(2.0), Parent(3.0, [Parent(4.0)])])


@helped("loop over it with `range`", PARENT, N)
class SliceOfChildren:
    def refused(tree, n):
        while tree.key < n:
            tree = tree.children[-1]
        total = 0.0
        for child in tree.children[:1]:
            total += child.key
        return total

    def fixed(tree, n):
        while tree.key < n:
            tree = tree.children[-1]
        total = 0.0
        for i in range(min(1, len(tree.children))):
            total += tree.children[i].key
        return total


@helped("make a list of it first: `list(…)`", PARENT, N)
class SumOfChildren:
    def refused(tree, n):
        while tree.key < n:
            tree = tree.children[-1]
        return len(tree.children * 2)

    def fixed(tree, n):
        while tree.key < n:
            tree = tree.children[-1]
        return len(list(tree.children) * 2)


@ag.do_not_convert
def plain_count(values):
    return len(values)


@helped("in converted code `len` is staged", PARENT, N)
class LengthOfChildren:
    def refused(tree, n):
        while tree.key < n:
            tree = tree.children[-1]
        return plain_count(tree.children)

    def fixed(tree, n):
        while tree.key < n:
            tree = tree.children[-1]
        return len(tree.children)


@dataclass
class Counted:
    key: float
    left: Counted | None = None
    steps: float = field(init=False, default=0.0)


@helped("call the class with the fields", Counted(1.0, Counted(2.0)), np.float64(2.0))
class ReplacedNode:
    def refused(tree, key):
        while tree.key < key:
            tree = tree.left
        return replace(tree, key=5.0).key

    def fixed(tree, key):
        while tree.key < key:
            tree = tree.left
        return Counted(5.0, tree.left).key


@helped("give `ag.staged` a range, an array, or a sequence of numbers", XS)
class StagedLoopOverAString:
    def refused(x):
        total = x[0]
        for letter in ag.staged({"a": 1.0, "b": 2.0}):
            total += len(letter)
        return total

    def fixed(x):
        total = x[0]
        for i in ag.staged(range(2)):
            total += 1
        return total


@helped("compare it with a string", Node(1.0, "first", Node(2.0, "second")), np.float64(2.0))
class NameAndANumber:
    def refused(node, key):
        while node is not None and node.key < key:
            node = node.next
        return node.label == np.ones(1)

    def fixed(node, key):
        while node is not None and node.key < key:
            node = node.next
        return node.label == "second"


@helped("compare it with `==`, or return it", Node(1.0, "first", Node(2.0, "second")), np.float64(2.0))
class NameInPlainCode:
    def refused(node, key):
        while node is not None and node.key < key:
            node = node.next
        return plain_key(node.label)

    def fixed(node, key):
        while node is not None and node.key < key:
            node = node.next
        return node.label == "second", node.label


@ag.do_not_convert
def plain_key(value):
    return {value: 1}
