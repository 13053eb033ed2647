"""`zip` and `enumerate` go by index."""

import numpy as np
from autograph import tangent


def f(x, w):
    y = 0.0
    for a, b in zip(x, w):
        y = y + a * b
    for i, a in enumerate(x):
        y = y + i * a
    return y


derivative = tangent.grad(f, wrt=("x", "w"))

assert np.allclose(derivative(np.array([2.0, 3.0]), np.array([5.0, 7.0]))[0], [5.0, 8.0])
