def dfdx(x, by=1.0):
    taken = x > 0
    if taken:
        y = x * x
    else:
        y = -x
    tangent.check_seed(by, y)
    if taken:
        # Grad of: return x * x if x > 0 else -x
        bx = by * x + by * x
    else:
        bx = -by
    return tangent.as_gradient(bx, x)
