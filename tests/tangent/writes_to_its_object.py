"""A method that writes to its object: the backward pass is given the adjoint of the object after it."""

import numpy as np
from autograph import tangent


class Cell:
    def __init__(self, w):
        self.w = w
        self.h = 0.0

    def step(self, x):
        self.h = np.tanh(x * self.w + self.h)
        return self.h


def f(w, xs):
    cell = Cell(w)
    total = 0.0
    for x in xs:
        total = total + cell.step(x)
    return total


derivative = tangent.grad(f)

assert np.isclose(derivative(0.5, [1.0, 2.0, 0.5]), 1.67091)
