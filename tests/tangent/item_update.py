"""`+=` of an element keeps the adjoint of that element."""

import numpy as np
from autograph import tangent


def f(x, n):
    y = np.zeros(3)
    for i in range(n):
        y[i] += x * i
    return np.sum(y * y)


derivative = tangent.grad(f)

assert derivative(2.0, 3) == 20.0
