"""A loop over an array: its items have derivatives."""

import numpy as np
from autograph import tangent


def f(x):
    y = 1.0
    for item in x:
        y = y * item
    return y


derivative = tangent.grad(f)

assert np.allclose(derivative(np.array([2.0, 3.0])), [3.0, 2.0])
