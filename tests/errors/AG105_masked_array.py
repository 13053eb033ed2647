# call: f(np.array([1.0, 2.0]))
import numpy as np

WEIGHTS = np.ma.array([1.0, 2.0], mask=[False, True])


def f(x):
    return x * WEIGHTS
