# call: f(np.arange(5.0))
import numpy as np


def f(x):
    return np.sum(np.where(x > 2, x, 0))
