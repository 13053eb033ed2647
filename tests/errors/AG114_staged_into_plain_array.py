# call: f(np.float64(3))
import numpy as np

table = np.zeros(3)


def f(x):
    np.multiply(np.ones(3), x, out=table)
    return table
