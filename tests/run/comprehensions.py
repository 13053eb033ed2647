# run: squares(np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]))
# run: pairs(np.arange(6.0), np.arange(6) * 2) == (70.0, 6)
# run: of_range(np.float64(2.0))
# run: tuples(np.arange(5.0))
# run: plain_condition(np.arange(7.0))
# run: numbered(np.arange(6))
# run: several_types(np.arange(6.0))
# run: in_a_branch(np.float64(3.0), np.arange(6.0))
# run: in_a_branch(np.float64(-3.0), np.arange(6.0))
# run: inner(np.arange(12.0).reshape(3, 4))
# run: printing(np.arange(5))
# run: counted(np.arange(5.0))
# run: summed(np.arange(1.0, 8.0))
# run: first_large(np.arange(10), np.int64(6)) == (True, False)
# run: first_large(np.arange(10), np.int64(60)) == (False, True)
# run: stops_early(np.array([3, 0, 0, 7])) == True
# run: kept(np.array([-1.0, 2.0, -3.0, 4.0, 5.5]))
# run: largest(np.array([3.0, -9.0, 4.0]))
# run: mapped(np.arange(6.0))
# run: filtered(np.array([-1.0, 2.0, -3.0, 4.0]))
"""Comprehensions and generator expressions over staged iterables are staged loops."""

import numpy as np


def squares(xs):
    values = [v * v + 1.0 for v in xs]
    return values[0] + values[-1], len(values), values


def pairs(x, y):
    products = [a * b for a, b in zip(x, y)]
    return sum(products) - 40.0, len(products)


def of_range(x):
    return [x**i for i in range(7)]


def tuples(xs):
    return [(v, v + 1, 7) for v in xs]


def plain_condition(xs):
    return [v for i, v in enumerate(xs) if i % 2 == 0]


def numbered(xs):
    return [i * v for i, v in enumerate(xs)]


def several_types(xs):
    values = [xs[0], 1, "two"]
    return [v for v in values][:2]


def in_a_branch(x, xs):
    total = 0.0
    if x > 0:
        total = sum([v * x for v in xs])
    else:
        total = [v - x for v in xs][2]
    return total


def inner(rows):
    return [row.sum() for row in rows], [[v + 1 for v in row] for row in rows]


def printing(xs):
    def show(v):
        print("item", v)
        return v * 2

    return [show(v) for v in xs]


class Counter:
    def __init__(self):
        self.total = 0.0

    def add(self, value):
        self.total += value
        return self.total


def counted(xs):
    counter = Counter()
    running = [counter.add(v) for v in xs]
    return running, counter.total


def summed(xs):
    return sum(v * 2 for v in xs), max(v - 3 for v in xs), min(abs(v - 4.5) for v in xs)


def first_large(xs, limit):
    return any(v > limit for v in xs), all(v < limit for v in xs)


def stops_early(xs):
    def is_positive(v):
        print("asked", v)
        return v > 0

    return any(is_positive(v) for v in xs)


def kept(xs):
    total = 0.0
    for v in (v * 2 for v in xs if v > 0):
        total += v
    return total


def largest(xs):
    return max(xs, key=lambda v: v * v), min(xs, key=abs), max([xs[0], xs[2]], key=lambda v: -v)


def mapped(xs):
    total = 0.0
    for a, b in zip(map(lambda v: v + 1, xs), xs):
        total += a * b
    return total, list(map(np.sqrt, xs))


def filtered(xs):
    total = 0.0
    for v in filter(lambda v: v > 0, xs):
        total += v
    return total
