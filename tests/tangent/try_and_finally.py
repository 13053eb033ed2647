"""`finally` without an exception, and a `with` block."""

import numpy as np
from autograph import tangent


def f(x):
    try:
        with np.errstate(all="ignore"):
            y = np.log(x)
    finally:
        print("done")
    return y * x


derivative = tangent.grad(f)

assert derivative(1.0) == 1.0
