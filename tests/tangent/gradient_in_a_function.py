"""A function that calls a gradient is differentiated: the perturbations are not confused."""

from autograph import tangent


def square(x):
    return x * x


dsquare = tangent.grad(square)


def f(x):
    return x * dsquare(x)


derivative = tangent.grad(f)

assert derivative(3.0) == 12.0
