"""The rounds of a `while` are counted."""

from autograph import tangent


def f(x):
    y = x
    while y < 10:
        y = y * x
    return y


derivative = tangent.grad(f)

assert derivative(2.0) == 32.0
