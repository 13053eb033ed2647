def dfdx(x, by_1=1.0):
    y = x * x
    taken = y > 1
    tangent.check_seed(by_1, x)
    if taken:
        # Grad of: return y * x
        by = by_1 * x
        bx = by_1 * y
    else:
        # Grad of: return y
        by = by_1
        bx = tangent.zeros_like(x)
    # Grad of: (y := x * x) > 1
    bx += by * x + by * x
    return tangent.as_gradient(bx, x)
