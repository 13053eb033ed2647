# call: f(np.zeros((2, 2)))
import numpy as np


def f(x):
    return np.linalg.inv(x)
