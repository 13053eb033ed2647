# call: f(np.float64(1.0))
import autograph as ag
import numpy as np

v = ag.Variable(np.zeros(3))


def f(x):
    y = v.value
    y[1] = x
    v.assign(y)
    return v.value
