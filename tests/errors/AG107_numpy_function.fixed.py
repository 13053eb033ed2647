# call: f(np.ones((2, 2)))
import numpy as np


def f(x):
    return np.linalg.eigh(x)[0] * 0.0 + np.trace(x)
