# group: Expressions
# plain: f([1, 2, 3, 4, 5], 1)
# plain: array(np.arange(24.0).reshape(2, 3, 4))
# staged: array(np.arange(24.0).reshape(2, 3, 4))
# staged: index(np.arange(5.0), np.int64(-2))
# plain: index(np.arange(5.0), -2)
# plain: index(np.arange(5.0), 9)
# staged: index(np.arange(5.0), np.int64(9))
# staged: bounds(np.arange(5.0), np.int64(2))
# plain: bounds(np.arange(5.0), 2)
# staged: windows(np.arange(5.0))
# plain: windows(np.arange(5.0))
# plain: keys({1: 2, (1, 2): 3})
"""Indices, slices, `...`, `None`"""
import numpy as np


def f(values, i):
    return values[i], values[-1], values[i:], values[:i], values[::2], values[::-1], values[i:-i:i], values[:]


def array(x):
    return x[0, 1], x[..., 0], x[:, None, 1, ::2], x[np.newaxis].shape, x[1][2][3], x[-1, :, -2:], x[(0, 1)]


def index(x, i):
    return x[i] + 1


def bounds(x, n):
    return x[:n].sum()


def windows(x):
    total = 0.0
    for i in range(4):
        total = total * 2 + x[i : i + 2].sum()
    return total


def keys(table):
    return table[1], table[1, 2]
