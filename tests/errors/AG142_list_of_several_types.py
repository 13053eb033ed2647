# call: f(np.float64(2.0))
import autograph as ag
import numpy as np


def halves(x):
    found = []
    k = x
    while k > 0.1:
        found.append(np.ones(2) * k if k > 1.0 else k)
        k = k / 2
    return found


def f(x):
    return ag.jvp(halves, (x,), (np.float64(1.0),))
