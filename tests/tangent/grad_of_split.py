"""A block runs in the backward pass of split motion too."""

from autograph import tangent


def f(x):
    y = x * x
    with tangent.grad_of(y) as dy:
        print("gradient of y", dy)
    return y * x


derivative = tangent.autodiff(f, motion="split")

assert derivative(2.0) == 12.0
