"""The text before it is tidied up: each operation has a name, and each contribution a line."""

import numpy as np
from autograph import tangent


def f(x):
    y = np.sin(x)
    unused = np.cos(y)
    return y * x


derivative = tangent.grad(f, optimized=False)

assert np.isclose(derivative(0.5), np.cos(0.5) * 0.5 + np.sin(0.5))
