"""`max(*xs)` has the derivative of `max(xs)`."""

from autograph import tangent


def f(x):
    xs = [x, x * x]
    return max(*xs)


derivative = tangent.grad(f)

assert (derivative(3.0), derivative(0.5)) == (6.0, 1.0)
