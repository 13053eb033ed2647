# call: f(np.float64(3))
import numpy as np


def f(x):
    return np.cumsum(np.zeros((1 << 25, 1 << 25)) + x, axis=0)[7, 7]
