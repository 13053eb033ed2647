def dfdx(x, by=1.0):
    rounded_x = rounded(x)
    tangent.check_seed(by, rounded_x * x)
    # Grad of: return rounded(x) * x
    bx = tangent.unbroadcast(by * rounded_x, x)
    return tangent.as_gradient(bx, x)
