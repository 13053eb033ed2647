"""Tuples, and variables that change places."""

from autograph import tangent


def f(x, w):
    a, b = x * w, x
    a, b = b, a
    return a + 3 * b


derivative = tangent.grad(f)

assert derivative(2.0, 5.0) == 16.0
