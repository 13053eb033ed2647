"""A variable that one branch binds anew has its adjoint from both paths."""

from autograph import tangent


def f(x):
    y = x * 2
    if x > 1:
        y = y * x
    return y


derivative = tangent.grad(f)

assert (derivative(2.0), derivative(0.5)) == (8.0, 2.0)
