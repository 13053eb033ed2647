"""A function whose result carries no derivative."""

from autograph import tangent


def rounded(x):
    return float(int(x))


tangent.register_non_differentiable(rounded)


def f(x):
    return rounded(x) * x


derivative = tangent.grad(f)

assert derivative(2.5) == 2.0
