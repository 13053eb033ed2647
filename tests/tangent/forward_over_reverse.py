"""The tangent of a gradient: a Hessian times a vector."""

import numpy as np
from autograph import tangent


def f(x):
    return x * np.sin(x)


derivative = tangent.jvp(tangent.grad(f))

assert np.isclose(derivative(0.0, dx=1.0), 2.0)
