"""The result, then the gradients of several parameters."""

import numpy as np
from autograph import tangent


def f(x, w):
    return np.sum(x * w)


derivative = tangent.value_and_grad(f, wrt=("x", "w"))

assert derivative(2.0, 3.0) == (6.0, (3.0, 2.0))
