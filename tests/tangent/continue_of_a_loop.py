"""What `continue` skips, the backward pass skips."""

from autograph import tangent


def f(x, n):
    y = x
    for i in range(n):
        if i % 2:
            continue
        y = y * x
    return y


derivative = tangent.grad(f)

assert derivative(2.0, 3) == 12.0
