"""A function that appends to a list that it is given returns what it has appended."""

import numpy as np
from autograph import tangent


def push(xs, v):
    xs.append(v * v)


def f(x):
    xs = [x]
    push(xs, 2.0 * x)
    return xs[0] * xs[1]


derivative = tangent.grad(f)

assert np.isclose(derivative(3.0), 12.0 * 9.0)
