# call: f(np.int64(3))
import numpy as np


def f(n):
    start = np.zeros(2)
    rows = [[start] for _ in range(n)]
    start[0] = 5.0
    return rows
