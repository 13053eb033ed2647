# call: f(np.ones((2, 3)))
import autograph as ag
import numpy as np


def loss(x):
    y = x * 2.0
    z = y.T.ravel()
    z *= 3.0
    return np.sum(y)


def f(x):
    return ag.grad(loss)(x)
