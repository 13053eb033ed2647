"""One assignment, reverse mode, joint motion (the paper's Listing 3)."""

from autograph import tangent


def f(x):
    return x * x


derivative = tangent.grad(f)

assert derivative(3.0) == 6.0
