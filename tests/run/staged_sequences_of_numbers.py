# run: product(3)
# run: product(-2)
# run: quotients(3, 1)
# raises: quotients(3, 0) ZeroDivisionError
# run: mixed(2.5)
# run: bools(np.int64(2))
# run: nothing(1.5)
# run: scalars(np.float32(1.5))
"""`ag.staged` over a sequence of numbers: each item is a number of the class that it has there."""

import autograph as ag
import numpy as np


def product(x):
    for factor in ag.staged([2, 2, 3]):
        x = x * factor
    return x


def quotients(x, last):
    found = []
    for divisor in ag.staged((2, 4, last)):
        found.append(x / divisor)
    return found


def mixed(x):
    found = []
    for item in ag.staged([1, 2.5, True]):
        found.append(item * x)
    return found


def bools(n):
    found = []
    for item in ag.staged([True, False]):
        found.append(item)
    return found, n


def nothing(x):
    for item in ag.staged([]):
        x = x + item
    return x


def scalars(x):
    total = 0
    for item in ag.staged([np.float32(0.5), np.float32(2.0)]):
        total = total + item
    return total, x
