def dfdx(x, by_1=1.0):
    y = x * x
    print("y is", y)
    if y > 100:
        raise ValueError("too large")
    LOG.append(y)
    assert y >= 0
    tangent.check_seed(by_1, x)
    # Grad of: return y * x
    by = by_1 * x
    bx = by_1 * y
    # Grad of: y = x * x
    bx += by * x + by * x
    return tangent.as_gradient(bx, x)
