"""Containers of the caller, texts and recursions that are refused, beside those after what the help says."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from remedies import XS, N, helped


@dataclass
class Tree:
    key: float
    left: Tree | None = None


CHAIN = Tree(1.0, Tree(2.0, Tree(4.0)))


@helped("write the keys in one order", np.float64(3.0))
class KeysInTwoOrders:
    def refused(x):
        if x > 0:
            d = {"a": x, "b": 1.0}
        else:
            d = {"b": 2.0, "a": x}
        return d

    def fixed(x):
        if x > 0:
            d = {"a": x, "b": 1.0}
        else:
            d = {"a": x, "b": 2.0}
        return d


def halved(p):
    return {key: value * 0.5 for key, value in p.items()}


GIVEN = {"a": np.array([1.0, 2.0]), "b": np.array([3.0, 4.0])}


@helped("write the keys in one order", GIVEN, N)
class KeysOfTheCallerInTwoOrders:
    def refused(p, n):
        for _ in range(n):
            p = {"b": p["b"], "a": p["a"] * 2}
        return p

    def fixed(p, n):
        for _ in range(n):
            p = {"a": p["a"] * 2, "b": p["b"]}
        return p


@helped("copy it first: `p = dict(p)`", GIVEN, N)
class ChangedDictOfTheCaller:
    def refused(p, n):
        for _ in range(n):
            p = halved(p)
        p["a"] = np.zeros(2)
        return p

    def fixed(p, n):
        for _ in range(n):
            p = halved(p)
        p = dict(p)
        p["a"] = np.zeros(2)
        return p


@helped("compare what the dicts hold", GIVEN, N)
class IdentityOfDicts:
    def refused(p, n):
        q = p
        for _ in range(n):
            p = halved(p)
        return p is q

    def fixed(p, n):
        q = p
        for _ in range(n):
            p = halved(p)
        return np.array_equal(p["a"], q["a"])


@helped("copy it first: `found = list(found)`", [XS, XS], [XS], N)
class ChangedListOfTheCaller:
    def refused(xs, ys, n):
        found = xs if n > 1 else ys
        found[0] = found[0] * 2
        return found

    def fixed(xs, ys, n):
        found = xs if n > 1 else ys
        found = list(found)
        found[0] = found[0] * 2
        return found


@helped("copy it first: `found = list(found)`", [1.0, 2.0], [3.0], N)
class ChangedNumbersOfTheCaller:
    def refused(xs, ys, n):
        found = xs if n > 1 else ys
        found[0] = 5.0
        return found

    def fixed(xs, ys, n):
        found = xs if n > 1 else ys
        found = list(found)
        found[0] = 5.0
        return found


@helped("bind it to a list of its own: `found = list(found)`", [1.0, 2.0], [3.0], N)
class ReadAfterAChange:
    def refused(xs, ys, n):
        found = xs if n > 1 else ys
        xs[0] = 5.0
        return found[0]

    def fixed(xs, ys, n):
        found = xs if n > 1 else ys
        found = list(found)
        xs[0] = 5.0
        return found[0]


@helped("make a list of its own: `kept = list(...)`", [1.0, 2.0], [3.0], N)
class OlderListInABranch:
    def refused(xs, ys, n):
        kept = ys
        if n > 1:
            xs.append(1.0 * n)
            kept = xs
        return kept[0]

    def fixed(xs, ys, n):
        kept = ys
        if n > 1:
            xs.append(1.0 * n)
            kept = list(xs)
        return kept[0]


@helped("keep the parts in a list: `parts.append(…)`", N)
class DeeperEachTime:
    def refused(n):
        path = (0, None)
        for i in range(n):
            path = (i, path)
        return path

    def fixed(n):
        path = []
        for i in range(n):
            path.append(i)
        return path


@helped("print its fields", CHAIN, np.float64(2.0))
class TextOfANode:
    def refused(tree, key):
        while tree.key < key:
            tree = tree.left
        print(tree)
        return 0

    def fixed(tree, key):
        while tree.key < key:
            tree = tree.left
        print(tree.key)
        return 0


@helped("print their fields", CHAIN, np.float64(3.0))
class TextOfNodesInAList:
    def refused(tree, key):
        seen = []
        while tree.key < key:
            seen.append(tree)
            tree = tree.left
        print(seen)
        return len(seen)

    def fixed(tree, key):
        seen = []
        while tree.key < key:
            seen.append(tree)
            tree = tree.left
        for one in seen:
            print(one.key)
        return len(seen)


@helped("return before the recursive call where the recursion ends", N)
class WithoutAnEnd:
    def refused(n):
        return down(n)

    def fixed(n):
        return down_to_zero(n)


def down(n):
    if n < 0:
        return down(n + 1)
    return down(n - 1)


def down_to_zero(n):
    if n == 0:
        return n
    return down_to_zero(n - 1)


@helped("pass the same kinds of values, or write it as a loop", N, ())
class OtherArguments:
    def refused(n, numbers):
        return collected(n, numbers)

    def fixed(n, numbers):
        while n <= 9:
            numbers += (n,)
            n += 1
        return len(numbers)


def collected(n, numbers):
    if n > 9:
        return 0
    return collected(n + 1, (*numbers, n))
