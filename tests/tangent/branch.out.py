def dfdx(x, by=1.0):
    taken = x > 1
    if taken:
        y = x * x
    else:
        y = 3 * x
    tangent.check_seed(by, y)
    if taken:
        # Grad of: y = x * x
        bx = by * x + by * x
    else:
        # Grad of: y = 3 * x
        bx = by * 3
    return tangent.as_gradient(bx, x)
