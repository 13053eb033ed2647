"""Forward mode: the tangent of each variable beside it."""

import numpy as np
from autograph import tangent


def f(x, w):
    y = np.sin(x)
    return y * w


derivative = tangent.jvp(f, wrt=("x", "w"))

assert np.isclose(derivative(0.5, 2.0, 1.0, 10.0), np.cos(0.5) * 2.0 + np.sin(0.5) * 10.0)
