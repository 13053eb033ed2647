"""Functions that choose one of their operands."""

import numpy as np
from autograph import tangent


def f(x):
    return np.sum(np.maximum(x, 0.0)) + max(x[0], 2.0)


derivative = tangent.grad(f)

assert np.allclose(derivative(np.array([3.0, -1.0])), [2.0, 0.0])
