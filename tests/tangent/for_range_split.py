"""In split motion what a loop keeps is handed to the backward pass."""

from autograph import tangent


def f(x, n):
    y = x
    for _ in range(n):
        y = y * x
    return y


derivative = tangent.autodiff(f, motion="split")

assert derivative(2.0, 2) == 12.0
