# call: f(1.0)
import numpy as np


def f(x):
    table = np.zeros((2**31, 2**31))
    return table[0, 0] + x
