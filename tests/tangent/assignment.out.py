def dfdx(x, by=1.0):
    tangent.check_seed(by, x)
    # Grad of: return x * x
    bx = by * x + by * x
    return tangent.as_gradient(bx, x)
