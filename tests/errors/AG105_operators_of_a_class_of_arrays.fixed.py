# call: f(np.array([1.0, 2.0]))
import numpy as np


class Units:
    def __init__(self, values):
        self.values = values


def f(x):
    return x * Units(np.ones(2)).values
