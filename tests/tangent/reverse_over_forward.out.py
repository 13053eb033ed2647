def df_tangentdx(x, dx, by=1.0):
    tangent.check_seed(dx, x)
    sin_x = np.sin(x)
    cos_x = np.cos(x)
    dsin_x = cos_x * dx
    tangent.check_seed(by, dx * sin_x + x * dsin_x)
    # Grad of: return dx * sin_x + x * dsin_x
    bx = tangent.unbroadcast(by * dsin_x, x)
    bdsin_x = by * x
    bsin_x = tangent.unbroadcast(by * dx, sin_x)
    # Grad of: dsin_x = np.cos(x) * dx
    bx = bx + -tangent.unbroadcast(bdsin_x * dx, cos_x) * np.sin(x)
    # Grad of: sin_x = np.sin(x)
    bx += bsin_x * np.cos(x)
    return tangent.as_gradient(bx, x)
