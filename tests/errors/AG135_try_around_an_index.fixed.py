# call: f(np.arange(3.0), np.int64(5))
import numpy as np


def f(xs, i):
    if -len(xs) <= i < len(xs):
        return xs[i]
    return np.float64(-1.0)
