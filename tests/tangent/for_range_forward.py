"""In forward mode a loop keeps nothing."""

from autograph import tangent


def f(x, n):
    y = x
    for i in range(n):
        y = y * x + i
    return y


derivative = tangent.jvp(f)

assert derivative(2.0, 2, 1.0) == 12.0
