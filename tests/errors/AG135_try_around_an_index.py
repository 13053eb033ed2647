# call: f(np.arange(3.0), np.int64(5))
import numpy as np


def f(xs, i):
    try:
        return xs[i]
    except IndexError:
        return np.float64(-1.0)
