# call: f(np.ones(100))
import autograph as ag
import numpy as np


def loss(x):
    while np.sum(x) > 1.0:
        ag.set_loop_options(memory_limit=1000)
        x = np.sin(x) * x
    return np.sum(x)


def f(x):
    return ag.grad(loss)(x)
