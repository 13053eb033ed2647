# call: f(np.arange(3), 2.5)
import numpy as np

COUNTS = np.arange(3)


def f(x, y):
    return x + COUNTS.astype(y)
