# call: f(np.int64(10))
import numpy as np


def f(n):
    a, b = np.int64(0), np.int64(1)
    for _ in range(n):
        a, b = b, a + b
    return a
