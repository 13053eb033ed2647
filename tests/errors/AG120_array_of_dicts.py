# call: f(np.array([3.0, 1.0, 2.0]), np.int64(3))
import numpy as np


def f(v, n):
    rows = []
    for i in range(n):
        rows.append({"x": v[i]})
    return np.array(rows)
