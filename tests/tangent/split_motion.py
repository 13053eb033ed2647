"""Split motion: a forward pass, a backward pass, and a function that calls both."""

import numpy as np
from autograph import tangent


def f(x):
    y = np.sin(x)
    return y * x


derivative = tangent.autodiff(f, motion="split")

assert np.isclose(derivative(0.5), np.cos(0.5) * 0.5 + np.sin(0.5))
