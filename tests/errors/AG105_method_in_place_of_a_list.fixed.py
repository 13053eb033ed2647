# call: f(np.array([1.0, 2.0]))
import numpy as np


def f(x):
    xs = [0.0, 0.0]
    xs.extend(x)
    return xs
