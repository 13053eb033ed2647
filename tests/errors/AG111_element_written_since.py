# call: f(np.ones(2), np.int64(3))
import numpy as np


def f(x, n):
    history = []
    state = np.zeros(2)
    while n > 0:
        state += x
        history.append(state)
        n -= 1
    return history
