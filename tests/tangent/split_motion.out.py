def dfdx(x, by=1.0):
    value, saved = f_forward(x)
    tangent.check_seed(by, value)
    return tangent.as_gradient(f_backward(saved, by), x)


def f_forward(x):
    y = np.sin(x)
    return y * x, (x, y)


def f_backward(saved, by_1):
    x, y = saved
    # Grad of: return y * x
    by = by_1 * x
    bx = by_1 * y
    # Grad of: y = np.sin(x)
    bx += by * np.cos(x)
    return bx
