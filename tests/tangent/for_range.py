"""The backward pass goes over the range in reverse; what it reads of the forward pass is kept."""

from autograph import tangent


def f(x, n):
    y = x
    for i in range(n):
        y = y * x + i
    return y


derivative = tangent.grad(f)

assert derivative(2.0, 2) == 12.0
