# run: arrays(np.array([3.0, -1.0, 2.0, -1.0]))
# run: arrays(np.array([3.0, np.nan, 2.0, -1.0, np.inf]))
# run: matrices(np.array([[3, 1, 2], [9, 7, 8]]))
# run: builtin_sorted(np.array([3.0, -1.0, 2.0, -5.0, 0.5]))
# run: builtin_sorted(np.array([3, -1, 2, -5, 0]))
# run: by_key(np.array([3, -1, 2, -5, 5, 1]))
# run: of_a_list(np.float64(3.0), np.float64(1.0))
"""`np.sort`, `np.argsort` and `sorted`."""

import numpy as np


def arrays(x):
    order = np.argsort(x, kind="stable")
    return np.sort(x), order, x[order]


def matrices(x):
    order = np.argsort(x, axis=0, kind="stable")
    return np.sort(x), np.sort(x, axis=0), np.sort(x, axis=None), order, np.take_along_axis(x, order, axis=0)


def builtin_sorted(xs):
    return sorted(xs), sorted(xs, reverse=True)[0]


def by_key(xs):
    return sorted(xs, key=lambda v: abs(v)), sorted(xs, key=abs, reverse=True)


def of_a_list(a, b):
    low, middle, high = sorted([a, b, a * b - 7.0])
    return low, middle, high
