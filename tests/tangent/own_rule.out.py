def dfdx(x, by=1.0):
    softened_x = softened(x)
    tangent.check_seed(by, 3 * softened_x)
    # Grad of: return 3 * softened(x)
    bx = by * 3 * x / softened_x
    return tangent.as_gradient(bx, x)
