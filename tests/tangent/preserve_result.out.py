def dfdx(x, by_1=1.0):
    y = np.exp(x)
    y_1 = y * y
    tangent.check_seed(by_1, x)
    # Grad of: return y * y
    by = by_1 * y + by_1 * y
    # Grad of: y = np.exp(x)
    bx = by * y
    return tangent.as_gradient(bx, x), y_1
