"""`*` and `**`: what a function takes by them is a tuple and a dict, with a gradient of the same form."""

import numpy as np
from autograph import tangent


def mixed(x, *others, weight=1.0, **scales):
    total = weight * x
    for other in others:
        total = total + other**2
    return total * scales["out"]


def f(x, rest, options):
    first, *others = rest
    return mixed(x * first, *others, **options)


derivative = tangent.grad(f, wrt=("x", "rest", "options"))

assert np.allclose(derivative(2.0, (3.0, 4.0), {"out": 0.5})[1], (1.0, 4.0))
