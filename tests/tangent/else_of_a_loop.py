"""The `else` of a loop runs where no `break` has left it."""

from autograph import tangent


def f(x, n):
    y = x
    for _ in range(n):
        y = y * x
        if y > 10:
            break
    else:
        y = y + 5 * x
    return y


derivative = tangent.grad(f)

assert (derivative(2.0, 1), derivative(2.0, 100)) == (9.0, 32.0)
