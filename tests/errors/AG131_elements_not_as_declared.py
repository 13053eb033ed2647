# call: f(np.int64(3))
import autograph as ag
import numpy as np


def f(n):
    halves = []
    ag.set_element_type(halves, np.int64)
    for i in range(n):
        halves.append(i * 0.5)
    return halves
