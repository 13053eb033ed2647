"""The gradient of the gradient of a loop."""

from autograph import tangent


def f(x, n):
    y = x
    for _ in range(n):
        y = y * x
    return y


derivative = tangent.grad(tangent.grad(f))

assert derivative(2.0, 2) == 12.0
