# call: f(np.ones(3))
import numpy as np


def f(x):
    return x.astype(np.longdouble)
