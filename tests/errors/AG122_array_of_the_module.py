# call: f(np.float64(3))
import numpy as np

table = np.zeros(3)


def f(x):
    part = table[1:]
    part += 1.0
    return x + 1.0
