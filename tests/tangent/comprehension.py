"""A comprehension is a loop that appends."""

import numpy as np
from autograph import tangent


def f(x):
    return sum([item * item for item in x if item > 0])


derivative = tangent.grad(f)

assert np.allclose(derivative(np.array([2.0, -3.0])), [4.0, 0.0])
