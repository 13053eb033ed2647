def f_tangent(x, dx):
    tangent.check_seed(dx, x)
    if x > 1:
        dy = dx * x + x * dx
    else:
        dy = 3 * dx
    return dy
