def dfdx(x, by):
    y = np.exp(x)
    tangent.check_seed(by, x)
    # Grad of: return np.exp(x)
    bx = by * y
    return tangent.as_gradient(bx, x)
