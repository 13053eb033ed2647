# call: f(np.arange(3.0))
import numpy as np


def f(x):
    return np.roll(x, 1.0)
