# call: f(np.array([1.0, 2.0]))
import numpy as np


def f(x):
    seen = x > 0
    seen.fill([0.0, 0.0])
    return seen
