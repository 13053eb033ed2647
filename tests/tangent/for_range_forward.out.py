def f_tangent(x, n, dx):
    tangent.check_seed(dx, x)
    y = x
    dy = dx
    for i in range(n):
        product = y * x
        dproduct = dy * x + y * dx
        y = product + i
        dy = dproduct
    return dy
