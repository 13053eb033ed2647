# call: f(np.arange(5.0), np.int64(2))
import numpy as np


def f(x, n):
    return np.where(np.arange(5) < n, x, 0.0).sum()
