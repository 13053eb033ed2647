"""A file of its own, which needs NumPy and nothing else: helpers and constants are in it."""

import numpy as np
from autograph import tangent

WEIGHT = 2.0


def f(x):
    return np.sum(WEIGHT * x)


derivative = tangent.grad(f)
is_standalone = True

assert np.allclose(derivative(np.ones(2)), 2.0)
