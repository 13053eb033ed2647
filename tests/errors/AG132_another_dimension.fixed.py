# call: f(np.ones((1, 1)), np.int64(3))
import numpy as np


def f(x, n):
    for _ in range(n):
        x = np.concatenate([x, x])
    return x
