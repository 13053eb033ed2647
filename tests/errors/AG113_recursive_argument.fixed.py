# call: f(np.int64(3))
import numpy as np


def fill(both, which, n):
    if n > 0:
        both[which, n] = n
        fill(both, 1 - which, n - 1)


def f(n):
    both = np.zeros((2, 4))
    fill(both, 0, n)
    return both[0], both[1]
