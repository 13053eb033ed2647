# call: f(np.array([1.0, 2.0]))
import numpy as np

LAST = [3.0, 4.0]


def f(x):
    return x == np.asarray(LAST)
