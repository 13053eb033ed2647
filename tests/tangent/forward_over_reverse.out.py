def dfdx_tangent(x, by=1.0, *, dx):
    tangent.check_seed(dx, x)
    sin_x = np.sin(x)
    dsin_x = np.cos(x) * dx
    tangent.check_seed(by, x)
    bx = by * sin_x
    dbx = tangent.copy(tangent.broadcast(by * dsin_x, bx))
    product_1 = by * x
    dproduct_1 = tangent.copy(tangent.broadcast(by * dx, product_1))
    cos_x = np.cos(x)
    dcos_x = -np.sin(x) * dx
    product = product_1 * cos_x
    dproduct = tangent.copy(tangent.broadcast(dproduct_1 * cos_x + product_1 * dcos_x, product))
    bx += product
    dbx = tangent.broadcast(dbx + dproduct, bx)
    return tangent.copy(tangent.as_gradient(dbx, x))
