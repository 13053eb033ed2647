"""A function that writes to its argument writes to a copy, which its caller writes back."""

import numpy as np
from autograph import tangent


def scale(row, s):
    row /= s


def f(x):
    rows = np.outer(x, x)
    scale(rows[0], x[1])
    return np.sum(rows)


derivative = tangent.grad(f)

assert np.allclose(derivative(np.array([1.0, 2.0])), [4.0, 4.75])
