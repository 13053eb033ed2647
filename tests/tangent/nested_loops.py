"""A loop in a loop: each place of the text has one list."""

import numpy as np
from autograph import tangent


def f(x, n):
    y = x
    for i in range(n):
        for j in range(i):
            y = y * np.sin(x + j)
    return y


derivative = tangent.grad(f)

assert np.isclose(derivative(0.5, 2), np.sin(0.5) + 0.5 * np.cos(0.5))
