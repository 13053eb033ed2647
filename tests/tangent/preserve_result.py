"""The result is given too, after the gradients."""

import numpy as np
from autograph import tangent


def f(x):
    y = np.exp(x)
    return y * y


derivative = tangent.grad(f, preserve_result=True)

assert np.allclose(derivative(0.0), (2.0, 1.0))
