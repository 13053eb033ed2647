"""A loop that is left early: the backward pass begins where the forward pass has left it."""

from autograph import tangent


def f(x, n):
    y = x
    for i in range(n):
        y = y * x
        if y > 10:
            break
    return y


derivative = tangent.grad(f)

assert derivative(2.0, 100) == 32.0
