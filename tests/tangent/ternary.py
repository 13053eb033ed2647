"""A conditional expression is a branch."""

from autograph import tangent


def f(x):
    return x * x if x > 0 else -x


derivative = tangent.grad(f)

assert (derivative(2.0), derivative(-1.0)) == (4.0, -1.0)
