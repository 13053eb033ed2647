"""A function that binds an item of a dict anew, which its caller has."""

import numpy as np
from autograph import tangent


def update(params, rate):
    params["w"] = params["w"] - rate * params["w"]


def f(w, rate):
    params = {"w": w}
    update(params, rate)
    return np.sum(params["w"] ** 2)


derivative = tangent.grad(f)

assert np.allclose(derivative(np.array([1.0, 2.0]), 0.25), [1.125, 2.25])
