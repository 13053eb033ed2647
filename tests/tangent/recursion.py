"""A function that calls itself: what it keeps holds what its calls keep."""

from autograph import tangent


def f(x, n):
    if n == 0:
        return x
    return x * f(x, n - 1)


derivative = tangent.grad(f)

assert derivative(2.0, 2) == 12.0
