"""In forward mode a branch needs nothing."""

from autograph import tangent


def f(x):
    if x > 1:
        y = x * x
    else:
        y = 3 * x
    return y


derivative = tangent.jvp(f)

assert (derivative(2.0, 1.0), derivative(0.5, 1.0)) == (4.0, 3.0)
