"""A function that writes a variable of the one around it is given the variable, and returns it."""

from autograph import tangent


def running(x, n):
    total = 0.0

    def add(v):
        nonlocal total
        total = total * x + v
        return total * v

    y = 1.0
    for k in range(n):
        y = y + add(x * k)
    return total * y


derivative = tangent.grad(running)
assert abs(derivative(1.5, 3) - (running(1.5 + 1e-6, 3) - running(1.5 - 1e-6, 3)) / 2e-6) < 1e-6
