"""`*=` of an array writes to it: what the backward pass reads of it is copied before."""

import numpy as np
from autograph import tangent


def f(x, w):
    y = x + 1
    y *= w
    y *= w
    return np.sum(y)


derivative = tangent.grad(f, wrt=("x", "w"))

assert np.allclose(derivative(np.ones(2), 3.0)[1], 24.0)
