# call: f(np.float64(1.0))
import autograph as ag
import numpy as np

v = ag.Variable(np.zeros(3))


def f(x):
    v[1] = x
    return v.value
