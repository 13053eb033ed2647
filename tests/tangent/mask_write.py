"""A write where a mask holds."""

import numpy as np
from autograph import tangent


def f(x):
    y = x * 2
    y[y < 0] = 0.0
    return np.sum(y * y)


derivative = tangent.grad(f)

assert np.allclose(derivative(np.array([1.0, -1.0])), [8.0, 0.0])
