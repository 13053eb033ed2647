def newton(x, tol):
    steps = 0
    while abs(x * x - 2.0) > tol:
        x = x - (x * x - 2.0) / (2.0 * x)
        steps += 1
    return x, steps
