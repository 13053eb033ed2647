"""Programs of lists, tuples, iterators and tables that are refused, beside those after what the help says."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from dataclasses import dataclass

import numpy as np
from remedies import XS, N, helped


def grown(n):
    """A tuple of a length of the run."""
    found = ()
    for i in range(n):
        found += (i,)
    return found


def listed(n):
    """A list of a length of the run."""
    found = []
    for i in range(n):
        found.append(i)
    return found


@dataclass
class Point:
    x: float


class Weighted:
    def __init__(self, x):
        self.x = x
        self.weight = 1.0


@helped("compare the elements, as numbers of Python: `float(v)`", N)
class OrderOfGrownTuples:
    def refused(n):
        found = ()
        for i in range(n):
            found += (np.float64(i),)
        return found < (1.0, 2.0)

    def fixed(n):
        found = ()
        for i in range(n):
            found += (float(i),)
        return found < (1.0, 2.0)


@helped("the keys are numbers, or tuples of numbers", N)
class KeysOfManyLengths:
    def refused(n):
        return len({grown(n): 1})

    def fixed(n):
        return len({(n, n + 1): 1})


@helped("take the elements one by one: `[xs[i] for i in range(0, len(xs), step)]`", N)
class StepByData:
    def refused(n):
        xs = listed(n)
        return xs[::n]

    def fixed(n):
        xs = listed(n)
        return [xs[i] for i in range(0, len(xs), n)]


@helped("compare them in a loop: `np.array_equal(a, b)`", N)
class SearchForAnArray:
    def refused(n):
        found = []
        for i in range(n):
            found.append(np.ones(2) * i)
        return found.index(np.ones(2))

    def fixed(n):
        found = []
        for i in range(n):
            found.append(np.ones(2) * i)
        place = -1
        for k, one in enumerate(found):
            if np.array_equal(one, np.ones(2)):
                place = k
                break
        return place


@helped("write them one after the other: `for i in indices: a[i, :n] = value`", XS, N)
class WriteBesideASlice:
    def refused(x, n):
        table = x.reshape(3, 1) * np.ones((3, 3))
        table[np.array([0, 1]), :n] = 0
        return table

    def fixed(x, n):
        table = x.reshape(3, 1) * np.ones((3, 3))
        for i in np.array([0, 1]):
            table[i, :n] = 0
        return table


@helped("move the axis of the slice to the end: `np.moveaxis(a, 1, -1)[i, j]`", N)
class SliceBetweenIndices:
    def refused(n):
        table = np.arange(27).reshape(3, 3, 3) * n
        return table[np.array([0, n]), :, np.array([1, n])]

    def fixed(n):
        table = np.arange(27).reshape(3, 3, 3) * n
        return np.moveaxis(table, 1, -1)[np.array([0, n]), np.array([1, n])]


@helped("give the digits and widths as constants", XS, N)
class DigitsByData:
    def refused(x, n):
        return f"{x[0]:.{n}f}"

    def fixed(x, n):
        return f"{x[0]:.2f}"


@helped("compare its characters", N)
class SliceOfAString:
    def refused(n):
        return 1 if "abcdef"[:n] == "ab" else 0

    def fixed(n):
        return 1 if n == 2 and "abcdef"[n - 2] == "a" and "abcdef"[n - 1] == "b" else 0


@helped("walk `sorted(…)` of it, or use a dict with the elements as keys", N)
class OrderOfASetOfFloats:
    def refused(n):
        found = set()
        for i in range(n):
            found.add(i * 0.5)
        return [one for one in found]

    def fixed(n):
        found, keys = set(), {}
        for i in range(n):
            found.add(i * 0.5)
            keys[i * 0.5] = None
        return [one for one in sorted(found)], list(keys)


@helped("do it in a statement of the staged function itself: a `for` loop", N)
class StepsOverATable:
    def refused(n):
        found = {}
        for i in range(n):
            found[i * 2] = i
        keys = iter(found)
        return next(keys) + next(keys)

    def fixed(n):
        found = {}
        for i in range(n):
            found[i * 2] = i
        total, left = 0, 2
        for key in found:
            if left == 0:
                break
            total, left = total + key, left - 1
        return total


@helped("take its items in one place: `while`, with an index or with `next`", N)
class TwoTakeFromAnIterator:
    def refused(n):
        items, total = iter(range(n)), 0
        for one in items:
            total += one * next(items)
        return total

    def fixed(n):
        items, total = range(n), 0
        k = 0
        while k + 1 < len(items):
            total += items[k] * items[k + 1]
            k += 2
        return total


@helped("make the class once, outside of the function", N)
class ClassInALoop:
    def refused(n):
        points = []
        for i in range(n):

            @dataclass
            class Inner:
                x: int

            points.append(Inner(i))
        return points[-1].x

    def fixed(n):
        points = []
        for i in range(n):
            points.append(Point(i))
        return points[-1].x


@helped("put a copy into it that is made in the function: `list(xs)`, `dict(d)`, a new object", N)
class DefaultsInALoop:
    def refused(n):
        tables = []
        for i in range(n):
            table = defaultdict(lambda: 0)
            table["a"] = i
            tables.append(table)
        return tables[0]["a"]

    def fixed(n):
        tables = []
        for i in range(n):
            tables.append(dict(a=i))
        return tables[0]["a"]


@helped("give all of them the same attributes where they are made", N)
class AttributeOfOneOfSeveral:
    def refused(n):
        points = []
        for i in range(n):
            points.append(Point(float(i)))
        points[n - 1].weight = 2.0
        return points[0].x

    def fixed(n):
        points = []
        for i in range(n):
            points.append(Weighted(float(i)))
        points[n - 1].weight = 2.0
        return points[0].x + points[n - 1].weight


@helped("give all of them the same keys where they are made", N)
class KeyOfOneOfSeveral:
    def refused(n):
        rows = []
        for i in range(n):
            rows.append({"a": i, "b": i})
        del rows[n - 1]["a"]
        return rows[0]["b"]

    def fixed(n):
        rows = []
        for i in range(n):
            rows.append({"b": i})
        return rows[0]["b"]


@helped("give all of them the same keys where they are made", N)
class OrderOfOneOfSeveral:
    def refused(n):
        rows = []
        for i in range(n):
            rows.append(OrderedDict(a=i, b=2))
        rows[n - 1].move_to_end("a")
        return rows[0]["b"]

    def fixed(n):
        rows = []
        for i in range(n):
            rows.append(OrderedDict(b=2, a=i))
        return rows[0]["b"]


@helped("give it the values as arguments where it is called", N)
class FunctionOfALoop:
    def refused(n):
        scaled = None
        for i in range(n):
            factors = [i + 1]
            scaled = lambda x: x * factors[0]  # noqa: E731
        return scaled(3)

    def fixed(n):
        scaled = lambda x, factors: x * factors[0]  # noqa: E731
        factors = [0]
        for i in range(n):
            factors = [i + 1]
        return scaled(3, factors)
