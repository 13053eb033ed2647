"""The gradient of a gradient: the output is in the input language."""

import numpy as np
from autograph import tangent


def f(x):
    return x * np.sin(x)


derivative = tangent.grad(tangent.grad(f))

assert np.isclose(derivative(0.0), 2.0)
