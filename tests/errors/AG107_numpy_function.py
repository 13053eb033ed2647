# call: f(np.ones((2, 2)))
import numpy as np


def f(x):
    return np.lib.scimath.sqrt(x)
