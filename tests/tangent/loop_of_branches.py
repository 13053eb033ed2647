"""A loop of choices (the paper's Listing 2)."""

import numpy as np
from autograph import tangent


def f(x, num_steps):
    for _ in range(num_steps):
        if np.sum(x) > 1:
            x = x / 2
    return np.sum(x)


derivative = tangent.grad(f)

assert np.allclose(derivative(np.full(3, 4.0), 5), 0.0625)
