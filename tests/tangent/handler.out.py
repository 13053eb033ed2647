def dfdx(x, n, by=1.0):
    handled = 0
    try:
        tangent.evaluated(x * x / n)
    except ZeroDivisionError:
        handled = 1
    taken = handled == 1
    if taken:
        y = 3 * x
    else:
        product = x * x
        y = product / n
    tangent.check_seed(by, y)
    if taken:
        # Grad of: y = 3 * x
        bx = by * 3
    else:
        # Grad of: y = x * x / n
        bproduct = tangent.unbroadcast(by / n, product)
        bx = bproduct * x + bproduct * x
    return tangent.as_gradient(bx, x)
