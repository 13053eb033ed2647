# call: f(np.array([3.0, 1.0, 2.0]), np.int64(3))
import numpy as np


def f(v, n):
    found = []
    for i in range(n):
        found.append(v[i] if v[i] > 1 else None)
    return np.array(found)
