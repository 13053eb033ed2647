"""What broadcasting has repeated is added up; operands of one shape need none of that."""

import numpy as np
from autograph import tangent


def f(x, w, b):
    y = np.dot(x, w) + b
    return np.sum(y * y)


derivative = tangent.grad(f, wrt=("w", "b"))

assert np.allclose(derivative(np.ones((2, 1)), np.ones((1, 3)), np.zeros(3))[1], [4.0, 4.0, 4.0])
