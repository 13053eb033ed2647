# call: f(np.uint8(3))
import numpy as np


def f(n):
    return np.tri(3, int(n), 1)
