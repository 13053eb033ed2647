"""In forward mode a function that is called gives its result and its tangent."""

import numpy as np
from autograph import tangent


def layer(x, w):
    return np.tanh(np.dot(x, w))


def f(x, w):
    return np.sum(layer(layer(x, w), w))


derivative = tangent.jvp(f, wrt="w")

assert derivative(np.zeros(2), np.ones((2, 2)), np.ones((2, 2))) == 0.0
