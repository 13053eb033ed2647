# call: f(base[:3].copy(), base[1:])
import numpy as np

base = np.arange(4.0)


def f(x, y):
    x[0] = 7.0
    return x + y
