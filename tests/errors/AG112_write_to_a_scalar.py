# call: f(np.float64(3))
import numpy as np


def f(x):
    np.add(x, 1.0, out=x)
    return x
