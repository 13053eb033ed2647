# call: f(np.arange(3))
import numpy as np


def f(x):
    kept = x[x > 5]
    return np.bincount(kept, kept * 0.5)
