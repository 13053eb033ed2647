"""Three deep."""

from autograph import tangent


def f(x):
    return x * x * x


derivative = tangent.grad(tangent.grad(tangent.grad(f)))

assert derivative(2.0) == 6.0
