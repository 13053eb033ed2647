"""Programs with generator functions, as people write them."""

from __future__ import annotations

from itertools import takewhile
from typing import Any

import numpy as np

X = np.array([0.5, 1.5, -0.5, 2.5, 1.0])
M = np.array([[0.0, 2, -1], [3, 0, 1.5], [-2, 1, 0]])


def primes(limit):
    found = []
    n = 2
    while n < limit:
        if all(n % p for p in found):
            found.append(n)
            yield n
        n += 1


def all_primes(n):
    return list(primes(n))


def sum_of_small_primes(n):
    return sum(takewhile(lambda p: p * p < n, primes(n)))


def chunks(xs, k):
    for i in range(0, len(xs), k):
        yield xs[i : i + k]


def means_of_chunks(xs):
    return [c.mean() for c in chunks(xs, 2)]


def running(xs):
    total = 0.0
    for x in xs:
        total += x
        yield total


def running_totals(xs):
    return np.array(list(running(xs))), max(running(xs)), sum(1 for t in running(xs) if t > 1)


def newton(a):
    x = a
    while True:
        yield x
        x = 0.5 * (x + a / x)


def root_by_newton(a):
    prev = None
    for x in newton(a):
        if prev is not None and abs(x - prev) < 1e-10:
            return x
        prev = x


def edges(m):
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            if m[i, j] > 0:
                yield i, j, m[i, j]


def heaviest_edge(m):
    best = (0, 0, 0.0)
    for i, j, w in edges(m):
        if w > best[2]:
            best = (i, j, w)
    return best


def edges_by_weight(m):
    return sorted(((w, i, j) for i, j, w in edges(m)), reverse=True)


def lightest_edge(m):
    return min(edges(m), key=lambda e: e[2], default=None)


def tokens(n):
    while n > 0:
        yield n % 10
        n //= 10


def digits_of_a_number(n):
    return sum(d**2 for d in tokens(n)), [d for d in tokens(n)][::-1], "".join(str(d) for d in tokens(n))


def has_a_digit_twice(n):
    seen = set()
    for d in tokens(n):
        if d in seen:
            return True
        seen.add(d)
    return False


def counts_of_totals(xs):
    counts = {}
    for t in running(xs):
        k = int(t)
        counts[k] = counts.get(k, 0) + 1
    return counts


def totals_into_an_array(xs):
    a = np.zeros(len(xs))
    for i, t in enumerate(running(xs)):
        if t < 0:
            continue
        a[i] = t
    return a


def totals_beside_items(xs):
    out = []
    for t, x in zip(running(xs), xs):
        if t > x:
            out.append(t - x)
    return out


class Node:
    def __init__(self, v, left=None, right=None):
        self.v, self.left, self.right = v, left, right

    def __iter__(self):
        if self.left is not None:
            yield from self.left
        yield self.v
        if self.right is not None:
            yield from self.right


def values_of_a_tree(xs):
    t = Node(xs[0], Node(xs[1]), Node(xs[2], Node(xs[3])))
    return [v for v in t], sum(t), max(v for v in t if v < 2), list(t)


def scan(xs, f):
    acc = xs[0]
    yield acc
    for x in xs[1:]:
        acc = f(acc, x)
        yield acc


def running_maxima(xs):
    return list(scan(xs, lambda a, b: a if a > b else b))


def states(xs):
    state = "idle"
    for x in xs:
        if x > 1:
            state = "high"
        elif x < 0:
            state = "low"
        yield state


def names_of_states(xs):
    return list(states(xs))


def count_of_high_states(xs):
    n = 0
    for s in states(xs):
        if s == "high":
            n += 1
    return n


def maybe(xs):
    for x in xs:
        yield x if x > 1 else None


def items_that_may_be_none(xs):
    return [v for v in maybe(xs) if v is not None], sum(1 for v in maybe(xs) if v is None)


def written(a):
    for i in range(len(a)):
        a[i] = a[i] * 2
        yield a[i]


def items_written_by_the_generator(a):
    s = 0.0
    for v in written(a):
        s += v
        if s > 3:
            break
    return s, a


def left_by_an_exception(a):
    try:
        for v in running(a):
            if v > 2:
                raise ValueError("too much")
    except ValueError as e:
        return str(e), v
    return "fine", v


def taken_up_after_a_break(xs):
    g = running(xs)
    for v in g:
        if v > 1:
            break
    return sum(g)


def fizz(n):
    for i in range(1, n + 1):
        if i % 15 == 0:
            yield "FizzBuzz"
        elif i % 3 == 0:
            yield "Fizz"
        elif i % 5 == 0:
            yield "Buzz"
        else:
            yield str(i)


def fizz_buzz(n):
    return " ".join(fizz(n))


def last_of_a_loop(xs):
    x = 100.0
    for x in running(xs):
        pass
    return x


def broken_in_a_loop(xs):
    for i in range(3):
        for v in running(xs):
            if v > i:
                break
        else:
            return i
    return v


PROGRAMS: dict[Any, list[Any]] = {
    all_primes: [20, np.int64(20), np.int64(1), np.int64(33)],
    sum_of_small_primes: [20, np.int64(20), np.int64(1), np.int64(33)],
    means_of_chunks: [X, -X, X[:4], X * 3],
    running_totals: [X, -X, X[:4], X * 3],
    root_by_newton: [2.0, np.float64(9.0)],
    heaviest_edge: [M, -M, M * 0],
    edges_by_weight: [M, -M, M * 0],
    lightest_edge: [M, -M, M * 0],
    digits_of_a_number: [20, np.int64(20), np.int64(1), np.int64(33)],
    has_a_digit_twice: [20, np.int64(20), np.int64(1), np.int64(33)],
    counts_of_totals: [X, -X, X[:4], X * 3],
    totals_into_an_array: [X, -X, X[:4], X * 3],
    totals_beside_items: [X, -X, X[:4], X * 3],
    values_of_a_tree: [X, -X, X[:4], X * 3],
    running_maxima: [X, -X, X[:4], X * 3],
    names_of_states: [X, -X, X[:4], X * 3],
    count_of_high_states: [X, -X, X[:4], X * 3],
    items_that_may_be_none: [X, -X, X[:4], X * 3],
    items_written_by_the_generator: [X, -X, X * 3],
    left_by_an_exception: [X, -X, X * 3],
    taken_up_after_a_break: [X, -X, X[:4], X * 3],
    fizz_buzz: [20, np.int64(20), np.int64(1), np.int64(33)],
    last_of_a_loop: [X, -X, X[:4], X * 3],
    broken_in_a_loop: [X, -X, X[:4], X * 3],
}
