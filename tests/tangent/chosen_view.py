"""Which branch has made a view is kept, and a write is told to the row that it is."""

import numpy as np
from autograph import tangent


def f(a, last):
    row = a[-1] if last else a[0]
    row *= 2.0
    return np.sum(a * a)


derivative = tangent.grad(f)

assert np.array_equal(derivative(np.array([[1.0], [3.0]]), True), [[2.0], [24.0]])
assert np.array_equal(derivative(np.array([[1.0], [3.0]]), False), [[8.0], [6.0]])
