# call: f(np.arange(5.0))
import numpy as np


def f(x):
    y = x[x > 1]
    return np.append(y, 0.0) + np.append(0.0, y)
