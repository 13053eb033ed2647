"""An assignment in an expression."""

from autograph import tangent


def f(x):
    if (y := x * x) > 1:
        return y * x
    return y


derivative = tangent.grad(f)

assert (derivative(2.0), derivative(0.5)) == (12.0, 1.0)
