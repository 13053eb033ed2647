"""A function that returns in a loop."""

from autograph import tangent


def f(x, n):
    y = x
    for _ in range(n):
        y = y * x
        if y > 10:
            return y * 2
    return y


derivative = tangent.grad(f)

assert (derivative(2.0, 1), derivative(2.0, 100)) == (4.0, 64.0)
