# call: f(np.arange(5.0))
import numpy as np


def f(x):
    return np.convolve(x[x > 1], [1.0, 1.0])
