# run: newton(np.float64(1.0), np.float64(1e-12))
# run: newton(1.0, 1e-9)
# run: newton(np.float32(3.0), np.float32(1e-3))
import numpy as np


def newton(x, tol):
    steps = 0
    while np.abs(x * x - 2.0) > tol:
        x = x - (x * x - 2.0) / (2.0 * x)
        steps += 1
    return x, steps
