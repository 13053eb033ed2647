# call: f(np.arange(9.0))
import numpy as np


def f(xs):
    kept = [v for v in xs if v > 3]
    return np.array(kept)
