"""In forward mode the tangent of what is written is written too."""

import numpy as np
from autograph import tangent


def put(out, i, v):
    out[i] = v
    return v * out[0]


def f(x):
    y = x * x
    return put(y, 1, x[0]) * np.sum(y)


derivative = tangent.jvp(f)
