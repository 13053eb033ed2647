def dfdx(x, n, by=1.0):
    value, saved = f_forward(x, n)
    tangent.check_seed(by, value)
    return tangent.as_gradient(f_backward(saved, by), x)


def f_forward(x, n):
    y = x
    y_values = []
    for _ in range(n):
        y_values.append(y)
        y = y * x
    return y, (n, x, y_values)


def f_backward(saved, by):
    n, x, y_values = saved
    y_values = y_values.copy()
    bx = tangent.zeros_like(x)
    for _ in reversed(range(n)):
        # Grad of: y = y * x
        y = y_values.pop()
        bx += by * y
        by = by * x
    # Grad of: y = x
    bx = tangent.add_grad(bx, by)
    return bx
