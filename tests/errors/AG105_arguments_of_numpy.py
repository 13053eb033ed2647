# call: f(np.arange(3.0))
import numpy as np


def f(x):
    return np.size(x, (0,))
