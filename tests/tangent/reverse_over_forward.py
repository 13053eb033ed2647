"""The gradient of a tangent."""

import numpy as np
from autograph import tangent


def f(x):
    return x * np.sin(x)


derivative = tangent.grad(tangent.jvp(f))

assert np.isclose(derivative(0.0, 1.0), 2.0)
