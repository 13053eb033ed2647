# call: f(np.ones(2), np.int64(3))
import numpy as np


def f(x, n):
    rows = [x]
    while n > 0:
        rows.append(np.outer(x, x))
        n -= 1
    return rows
