"""An element is read: its adjoint is added to that place."""

import numpy as np
from autograph import tangent


def f(x, i):
    return x[0] * x[i] * np.sum(x[1:])


derivative = tangent.grad(f)

assert np.allclose(derivative(np.array([2.0, 3.0]), 1), [9.0, 12.0])
