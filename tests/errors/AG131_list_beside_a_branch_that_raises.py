# call: f(np.arange(4.0), np.bool_(True))
import numpy as np


def f(x, c):
    halves = np.split(x * 2, 2) if c else 1 / 0
    return halves[1]
