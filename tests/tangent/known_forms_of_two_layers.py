"""A function that is called with two forms has two texts."""

import numpy as np
from autograph import tangent


def layer(x, w, b):
    return np.tanh(np.dot(x, w) + b)


def f(x, v, w, b, c):
    return np.sum(layer(layer(x, v, b), w, c))


derivative = tangent.grad(f, wrt=(1, 2, 3, 4))
forms = (np.ones((2, 3)), np.zeros((3, 4)), np.zeros((4, 5)), np.zeros(4), np.zeros(5))
assert [one.shape for one in derivative(*forms)] == [(3, 4), (4, 5), (4,), (5,)]
