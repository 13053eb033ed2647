"""Forward mode: nothing is repeated where all arrays have one shape."""

import numpy as np
from autograph import tangent


def f(x, y, c):
    z = x * y + np.sin(x - y)
    return z / (z + c)


derivative = tangent.jvp(f, wrt=(0, 1))
forms = (np.ones(3), np.ones(3), 2.0, np.ones(3), np.zeros(3))
assert np.array_equal(derivative(*forms), derivative(*forms))
