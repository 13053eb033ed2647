"""The gradient of a dict of parameters is a dict."""

import numpy as np
from autograph import tangent


def f(params, x):
    return np.sum(params["w"] * x) + params["b"]


derivative = tangent.grad(f)

assert derivative({"w": 2.0, "b": 1.0}, 3.0) == {"w": 3.0, "b": 1.0}
