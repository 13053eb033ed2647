# call: f(np.int64(3))
import autograph as ag
import numpy as np


def f(n):
    rest = []
    ag.set_element_type(rest, np.float64, ())
    return rest[:n]
