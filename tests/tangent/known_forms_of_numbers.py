"""Floats of Python's are what their adjoints are."""

from autograph import tangent


def f(x, n):
    y = x
    for _ in range(n):
        y = y * x + 1.0
    return y


derivative = tangent.grad(f)
forms = (2.0, 3)
assert derivative(2.0, 3) == 37.0
