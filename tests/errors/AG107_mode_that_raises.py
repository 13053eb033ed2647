# call: f(np.float64(2))
import numpy as np


def f(x):
    with np.errstate(divide="raise"):
        return 1.0 / x
