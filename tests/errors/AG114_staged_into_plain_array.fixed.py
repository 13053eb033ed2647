# call: f(np.float64(3))
import numpy as np


def f(x):
    table = np.zeros(3)
    np.multiply(np.ones(3), x, out=table)
    return table
