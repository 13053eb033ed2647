# call: f(np.arange(4.0))
import numpy as np


def f(x):
    found = []
    for v in x:
        if v > 1:
            found.append(np.array([v, v]))
    return np.concatenate(found)
