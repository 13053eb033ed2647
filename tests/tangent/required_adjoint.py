"""A vector times the Jacobian: the adjoint of the result has no default."""

import numpy as np
from autograph import tangent


def f(x):
    return np.exp(x)


derivative = tangent.vjp(f)

assert np.allclose(derivative(np.zeros(2), np.array([1.0, 2.0])), [1.0, 2.0])
