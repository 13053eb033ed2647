"""Of a bias one sum is left, and of a product the product."""

import numpy as np
from autograph import tangent


def f(x, w, b):
    return np.sum(np.tanh(np.dot(x, w) + b) * 0.5)


derivative = tangent.grad(f, wrt=("w", "b"))
forms = (np.ones((2, 3)), np.zeros((3, 4)), np.zeros(4))
assert np.array_equal(derivative(*forms)[0], np.ones((3, 4)))
