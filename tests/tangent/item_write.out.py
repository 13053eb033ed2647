def dfdx(x, by_1=1.0):
    y = np.zeros(2)
    product = x * x
    y[0] = product
    y_2 = y[0]
    y_2_copy = tangent.copy(y_2)
    y_2_form = tangent.form(y_2)
    product_1 = y_2 * x
    y[1] = product_1
    y_form_3 = tangent.form(y)
    tangent.check_seed(by_1, 0.0)
    # Grad of: return np.sum(y)
    by = tangent.unreduce(by_1, y_form_3)
    # Grad of: y[1] = y[0] * x
    bproduct_1 = tangent.unbroadcast(tangent.copy(by[1]), product_1)
    by[1] = 0.0
    by_2 = tangent.unbroadcast(bproduct_1 * x, y_2_form)
    bx = tangent.unbroadcast(bproduct_1 * y_2_copy, x)
    by[0] += by_2
    # Grad of: y[0] = x * x
    bproduct = tangent.unbroadcast(tangent.copy(by[0]), product)
    by[0] = 0.0
    bx = bx + (bproduct * x + bproduct * x)
    return tangent.as_gradient(bx, x)
