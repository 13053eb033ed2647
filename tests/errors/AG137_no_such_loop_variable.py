# call: f(np.array([3.0, 4.0]))
import autograph as ag
import numpy as np


def f(x):
    while np.sum(x) > 1.0:
        ag.set_loop_options(shape_invariants={"y": (2,)})
        x = x / 2
    return x
