# run: permuted(np.arange(5.0), np.random.default_rng(0))
# run: chosen(np.array([2.0, 2.0]), np.random.default_rng(0))
# run: of_one_number(np.int64(4), np.random.default_rng(0))
# run: advances(np.float64(1.0), np.random.default_rng(0))
# run: advances(np.float64(-1.0), np.random.default_rng(0))
# raises: negative_scale(np.float64(-1.0), np.random.default_rng(0)) ValueError
"""Draws whose results do not depend on the numbers, which are a stream of our own."""

import numpy as np


def permuted(x, rng):
    y = x.copy()
    rng.shuffle(y)
    return np.sort(rng.permutation(x)), np.sort(y), np.sort(rng.permutation(4)), rng.permutation(1)


def chosen(x, rng):
    return rng.choice(x, 3), rng.choice(x), np.sort(rng.choice(3, 3, replace=False)), rng.choice(1, (2, 2))


def of_one_number(n, rng):
    total = 0
    for _ in range(n):
        total += rng.integers(7, 8)
        total += rng.integers(3, 3, endpoint=True)
    return total, rng.integers([1, 5], [2, 6]), rng.integers(1, dtype=np.uint8), rng.normal(2.0, 0.0)


def advances(x, rng):
    local = np.random.default_rng(1)
    first = rng.random()
    if x > 0:
        second = rng.random()
    else:
        second = local.random()
    return first != second, local.random(0), rng.uniform(3.0, 3.0, (2, 1))


def negative_scale(x, rng):
    return rng.normal(0.0, x)
