# run: sum_of(np.array([]))
# run: sum_of(np.zeros(0, np.int32))
# run: sum_of(np.array([-0.0]))
# run: sum_of(np.array([1.5, 2.5]))
# run: sum_of_part(np.array([1.5, 2.5]), np.int64(0))
# run: sum_of_part(np.array([1.5, 2.5]), np.int64(2))
# run: middle(np.float64(-0.0))
# run: middle(np.array([-0.0, -0.0, -0.0]))
# run: filled(np.array([1.0, 2.0]), np.int64(2))
# run: filled(np.array([1.0, 2.0]), np.int64(1))
# raises: filled(np.array([1.0, 2.0]), np.int64(0)) ValueError
# run: added(np.array([1.0, 2.0, 3.0]), np.int64(3))
# raises: added(np.array([1.0, 2.0, 3.0]), np.int64(2)) ValueError
# raises: assigned(np.array([1.0, 2.0, 3.0]), np.int64(2)) ValueError
"""Arrays of no element, and of sizes that only the run knows."""

import numpy as np


def sum_of(x):
    return sum(x), sum(x, 1), sum(x, 0.5)


def sum_of_part(x, n):
    return sum(x[:n])


def middle(x):
    return np.median(x)


def filled(x, n):
    return np.full(2, x[:n])


def added(x, n):
    return np.add(x[:n], 1, out=np.zeros(3))


def assigned(x, n):
    out = np.zeros(3)
    out[:] = x[:n]
    return out
