"""A view that a call gives, and that is written: the call is what its function returns."""

import numpy as np
from autograph import tangent


def row_of(a, i):
    return a[i]


def f(x, w):
    m = np.outer(x, x)
    row = row_of(m, 0)
    row *= w
    return np.sum(m)


derivative = tangent.grad(f, wrt="w")

assert derivative(np.array([1.0, 2.0]), 3.0) == 3.0
