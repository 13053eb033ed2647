"""Which branch ran is kept, and only that."""

from autograph import tangent


def f(x):
    if x > 1:
        y = x * x
    else:
        y = 3 * x
    return y


derivative = tangent.grad(f)

assert (derivative(2.0), derivative(0.5)) == (4.0, 3.0)
