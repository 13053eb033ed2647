def dfdx(x, n, by=1.0):
    taken = n == 0
    if taken:
        y = x
    else:
        f_x, saved_f_x = f_forward(x, n - 1)
        y = x * f_x
    tangent.check_seed(by, y)
    if taken:
        # Grad of: return x
        bx = by
    else:
        # Grad of: return x * f(x, n - 1)
        bx = tangent.unbroadcast(by * f_x, x)
        bx = tangent.add_grad(bx, f_backward(saved_f_x, tangent.unbroadcast(by * x, f_x)))
    return tangent.as_gradient(bx, x)


def f_forward(x, n):
    f_x_before = None
    saved_f_x_before = None
    taken = n == 0
    if taken:
        y = x
    else:
        f_x, saved_f_x = f_forward(x, n - 1)
        y = x * f_x
        f_x_before = f_x
        saved_f_x_before = saved_f_x
    return y, (f_x_before, saved_f_x_before, taken, x)


def f_backward(saved, by):
    f_x_before, saved_f_x_before, taken, x = saved
    if taken:
        # Grad of: return x
        bx = by
    else:
        # Grad of: return x * f(x, n - 1)
        bx = tangent.unbroadcast(by * f_x_before, x)
        bx = tangent.add_grad(bx, f_backward(saved_f_x_before, tangent.unbroadcast(by * x, f_x_before)))
    return bx
