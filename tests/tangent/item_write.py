"""An element is written: its adjoint goes to the value, and what was there before has none."""

import numpy as np
from autograph import tangent


def f(x):
    y = np.zeros(2)
    y[0] = x * x
    y[1] = y[0] * x
    return np.sum(y)


derivative = tangent.grad(f)

assert derivative(2.0) == 16.0
