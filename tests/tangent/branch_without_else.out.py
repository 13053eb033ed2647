def dfdx(x, by=1.0):
    y = x * 2
    taken = x > 1
    if taken:
        y_before = y
    tangent.check_seed(by, x)
    if taken:
        # Grad of: y = y * x
        y = y_before
        bx = by * y
        by = by * x
    else:
        bx = tangent.zeros_like(x)
    # Grad of: y = x * 2
    bx += by * 2
    return tangent.as_gradient(bx, x)
