# call: f(np.uint8(3))
import numpy as np


def f(n):
    return np.arange(int(n), 5)
