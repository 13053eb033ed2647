# call: f(np.float64(3))
import numpy as np


def f(x):
    return np.maximum(x, "one")
