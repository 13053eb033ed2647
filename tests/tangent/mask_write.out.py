def dfdx(x, by_1=1.0):
    y = x * 2
    value = y < 0
    y[value] = 0.0
    y_copy = tangent.copy(y)
    product = y * y
    tangent.check_seed(by_1, 0.0)
    # Grad of: return np.sum(y * y)
    bproduct = tangent.unreduce(by_1, product)
    by = bproduct * y_copy + bproduct * y_copy
    # Grad of: y[y < 0] = 0.0
    by[value] = tangent.zeros_like(by[value])
    # Grad of: y = x * 2
    bx = by * 2
    return tangent.as_gradient(bx, x)
