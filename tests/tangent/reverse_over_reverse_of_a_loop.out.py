def ddfdxdx(x, n, by=1.0, by_1_1=1.0):
    y = x
    y_values = []
    x_copy_values = []
    y_copy_values = []
    for _ in range(n):
        y_values.append(y)
        x_copy = tangent.copy(x)
        y_copy = tangent.copy(y)
        y = y * x
        x_copy_values.append(x_copy)
        y_copy_values.append(y_copy)
    tangent.check_seed(by, x)
    bx = tangent.zeros_like(x)
    bx_form_values = []
    product_form_values = []
    x_copy_1_values = []
    x_form_values = []
    y_copy_1_values = []
    y_form_1_values = []
    y_values_1 = []
    by_values = []
    steps_1 = 0
    for _ in reversed(range(n)):
        steps_1 += 1
        y_values_1.append(y)
        y = y_values.pop()
        y_copy_1 = tangent.copy(y)
        y_form_1 = tangent.form(y)
        product = by * y
        bx_form = tangent.form(bx)
        product_form = tangent.form(product)
        bx += product
        by_values.append(by)
        x_copy_1 = tangent.copy(x)
        x_form = tangent.form(x)
        by = by * x
        bx_form_values.append(bx_form)
        product_form_values.append(product_form)
        x_copy_1_values.append(x_copy_1)
        x_form_values.append(x_form)
        y_copy_1_values.append(y_copy_1)
        y_form_1_values.append(y_form_1)
    bx = tangent.add_grad(bx, by)
    bx_form_1 = tangent.form(bx)
    tangent.check_seed(by_1_1, tangent.as_gradient(bx, x))
    # Grad of: return tangent.as_gradient(bx, x)
    bbx = tangent.as_gradient(by_1_1, bx_form_1)
    # Grad of: bx = tangent.add_grad(bx, by)
    bby = bbx
    bbx = bbx
    bx_1 = tangent.zeros_like(x)
    by_values_1 = tangent.zeros_like(y_values)
    for _ in range(steps_1):
        bx_form = bx_form_values.pop()
        product_form = product_form_values.pop()
        x_copy_1 = x_copy_1_values.pop()
        x_form = x_form_values.pop()
        y_copy_1 = y_copy_1_values.pop()
        y_form_1 = y_form_1_values.pop()
        # Grad of: by = by * x
        by = by_values.pop()
        bx_1 = tangent.add_grad(bx_1, tangent.unbroadcast(bby * by, x_form))
        bby = tangent.unbroadcast(bby * x_copy_1, by)
        # Grad of: bx += by * y
        bproduct = tangent.unbroadcast(bbx, product_form)
        bbx = tangent.unbroadcast(bbx, bx_form)
        bby = tangent.add_grad(bby, tangent.unbroadcast(bproduct * y_copy_1, by))
        by_1 = tangent.unbroadcast(bproduct * by, y_form_1)
        # Grad of: y = y_values.pop()
        by_values_1.append(tangent.copy(by_1))
        y = y_values_1.pop()
    by_1 = tangent.zeros_like(y)
    for _ in reversed(range(n)):
        x_copy = x_copy_values.pop()
        y_copy = y_copy_values.pop()
        # Grad of: y = y * x
        bx_1 = bx_1 + by_1 * y_copy
        by_1 = by_1 * x_copy
        # Grad of: y_values.append(y)
        by_1 = tangent.add_grad(by_1, by_values_1.pop())
    # Grad of: y = x
    bx_1 = tangent.add_grad(bx_1, by_1)
    return tangent.as_gradient(bx_1, x)
