# call: f(np.float64(3))
import numpy as np

table = np.zeros(3)


def f(x):
    np.add(table, 1.0, out=table)
    return x * 2.0
