# call: f(np.array([1.0, 2.0]))
import numpy as np

WEIGHTS = np.array([1.0, 0.0])


def f(x):
    return x * np.asarray(WEIGHTS)
