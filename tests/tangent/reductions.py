"""Reductions along an axis."""

import numpy as np
from autograph import tangent


def f(x):
    mean = np.mean(x, axis=0)
    return np.sum((x - mean) ** 2)


derivative = tangent.grad(f)

assert np.allclose(derivative(np.array([[1.0], [3.0]])), [[-2.0], [2.0]])
