# call: f(np.ones(3))
import autograph as ag
import numpy as np


def loss(x):
    y = x * 2.0
    z = y[::-1]
    z *= x
    return np.sum(y)


def f(x):
    return ag.grad(loss)(x)
