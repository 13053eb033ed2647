def dfdx(x, n, by_1=1.0):
    y = np.zeros(3)
    product_form_values = []
    for i in range(n):
        product = x * i
        product_form = tangent.form(product)
        y[i] += product
        product_form_values.append(product_form)
    y_copy = tangent.copy(y)
    product_1 = y * y
    tangent.check_seed(by_1, 0.0)
    # Grad of: return np.sum(y * y)
    bproduct_1 = tangent.unreduce(by_1, product_1)
    by = bproduct_1 * y_copy + bproduct_1 * y_copy
    bx = tangent.zeros_like(x)
    for i in reversed(range(n)):
        product_form = product_form_values.pop()
        # Grad of: y[i] += x * i
        bx += tangent.unbroadcast(tangent.copy(by[i]), product_form) * i
    return tangent.as_gradient(bx, x)
