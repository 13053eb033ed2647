# call: f(np.float64(1.0))
import numpy as np


def f(x):
    return x + np.random.get_state()[2]
