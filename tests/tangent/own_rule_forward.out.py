def f_tangent(x, dx):
    tangent.check_seed(dx, x)
    softened_x = softened(x)
    return 3 * (dx * x / softened_x)
