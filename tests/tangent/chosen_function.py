"""A function that is chosen when the program runs: its call is that of one of those that it may be."""

import numpy as np
from autograph import tangent


def squared(x):
    return x * x


def chosen(x, n):
    fs = [np.sin, squared]
    for k in range(n):
        x = fs[k % 2](x) + x
    f = np.tanh if x > 1 else squared
    return f(x)


derivative = tangent.grad(chosen)
assert abs(derivative(0.7, 3) - (chosen(0.7 + 1e-6, 3) - chosen(0.7 - 1e-6, 3)) / 2e-6) < 1e-6
