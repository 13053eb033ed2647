"""Functions of `math`, methods and attributes of arrays."""

import math

import numpy as np
from autograph import tangent


def f(x):
    return math.sin(x.sum()) * x.T.mean()


derivative = tangent.grad(f)

assert np.allclose(derivative(np.zeros(2)), 0.0)
