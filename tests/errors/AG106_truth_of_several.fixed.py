# call: f(np.arange(3.0))
import numpy as np


def f(x):
    if np.any(x > 1):
        return x * 2
    return x
