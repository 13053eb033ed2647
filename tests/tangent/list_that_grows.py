"""The adjoint of a list is a list: `append` in the forward pass is `pop` in the backward pass."""

from autograph import tangent


def f(x, n):
    values = [x]
    for _ in range(n):
        values.append(values[-1] * x)
    return values.pop() + values[0]


derivative = tangent.grad(f)

assert derivative(2.0, 2) == 13.0
