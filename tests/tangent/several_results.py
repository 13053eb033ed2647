"""A function that returns a tuple takes a tuple of adjoints."""

import numpy as np
from autograph import tangent


def f(x):
    return x * x, np.sin(x)


derivative = tangent.vjp(f)

assert derivative(0.0, (10.0, 1.0)) == 1.0
