"""A loop that keeps the form of what it carries; what it takes from a list has any form."""

import numpy as np
from autograph import tangent


def f(x, w, n):
    for _ in range(n):
        if np.sum(x) > 1.0:
            x = x / 2 + w
        else:
            x = x - w
    return np.sum(x)


derivative = tangent.grad(f, wrt=("x", "w"))
forms = (np.ones((2, 3)), np.ones(3), 4)
assert derivative(*forms)[1].shape == (3,)
