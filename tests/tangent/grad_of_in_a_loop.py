"""The gradient of a loop's variable, clipped in each round."""

import numpy as np
from autograph import tangent


def f(x, n):
    state = x
    for _ in range(n):
        with tangent.grad_of(state) as dstate:
            dstate = np.minimum(dstate, 2.0)
        state = state * 3
    return state


derivative = tangent.grad(f)

assert derivative(1.0, 4) == 2.0
