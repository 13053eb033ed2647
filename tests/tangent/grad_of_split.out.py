def dfdx(x, by=1.0):
    value, saved = f_forward(x)
    tangent.check_seed(by, value)
    return tangent.as_gradient(f_backward(saved, by), x)


def f_forward(x):
    y = x * x
    return y * x, (x, y)


def f_backward(saved, by_1):
    x, y = saved
    # Grad of: return y * x
    by = by_1 * x
    bx = by_1 * y
    # Grad of: with tangent.grad_of(y) as dy:
    print("gradient of y", by)
    # Grad of: y = x * x
    bx += by * x + by * x
    return bx
