"""A function that returns in one branch."""

import numpy as np
from autograph import tangent


def f(x):
    if x < 0:
        return -x
    y = np.sqrt(x)
    return y * x


derivative = tangent.grad(f)

assert (derivative(-1.0), derivative(4.0)) == (-1.0, 3.0)
