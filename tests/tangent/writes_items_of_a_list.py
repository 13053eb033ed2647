"""A function that binds items of a list anew: it writes to the list, and gives its adjoint before."""

import numpy as np
from autograph import tangent


def running(ys):
    for i in range(1, len(ys)):
        ys[i] = ys[i] + ys[i - 1]


def f(x, y):
    ys = [x, x * y, y]
    running(ys)
    return ys[1] * ys[2]


derivative = tangent.grad(f)

assert np.isclose(derivative(2.0, 3.0), 4.0 * 11.0 + 8.0 * 4.0)
