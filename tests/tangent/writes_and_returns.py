"""A function that returns a value beside what it writes; one that returns what it writes."""

import numpy as np
from autograph import tangent


def put(out, i, v):
    out[i] = v
    return v * out[0]


def doubled(a):
    a[:] = a * 2.0
    return a


def f(x):
    y = x * x
    z = put(y, 1, x[0])
    return np.sum(doubled(y)) * z


derivative = tangent.grad(f)
