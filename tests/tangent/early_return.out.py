def dfdx(x, by_1=1.0):
    taken = x < 0
    if taken:
        y_1 = -x
    else:
        y = np.sqrt(x)
        y_1 = y * x
    tangent.check_seed(by_1, y_1)
    if taken:
        # Grad of: return -x
        bx = -by_1
    else:
        # Grad of: return y * x
        by = by_1 * x
        bx = by_1 * y
        # Grad of: y = np.sqrt(x)
        bx += by / (2 * y)
    return tangent.as_gradient(bx, x)
