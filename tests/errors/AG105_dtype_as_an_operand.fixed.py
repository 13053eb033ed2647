# call: f(np.array([1.0, 2.0]))
import numpy as np

WANTED = np.dtype(np.float32)


def f(x):
    if x.dtype == WANTED:
        return x
    return x.astype(WANTED)
