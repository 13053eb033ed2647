# call: f(np.array([1.0, 2.0]), np.bool_(True))
import numpy as np


def f(x, c):
    v = x
    if c:
        v = x / 2
    return {"v": v}
