def ddfdxdx(x, n, by=1.0, by_1_1=1.0):
    y = x
    y_values = []
    y_values_1 = []
    for _ in range(n):
        y_values.append(y)
        y_values_1.append(y)
        y = y * x
    tangent.check_seed(by, x)
    bx = tangent.zeros_like(x)
    bx_form_values = []
    product_form_values = []
    y_values_2 = []
    by_values = []
    steps_1 = 0
    for _ in reversed(range(n)):
        steps_1 += 1
        y_values_2.append(y)
        y = y_values.pop()
        product = by * y
        bx_form = tangent.form(bx)
        product_form = tangent.form(product)
        bx += product
        by_values.append(by)
        by = by * x
        bx_form_values.append(bx_form)
        product_form_values.append(product_form)
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
        # Grad of: by = by * x
        by = by_values.pop()
        bx_1 = tangent.add_grad(bx_1, tangent.unbroadcast(bby * by, x))
        bby = tangent.unbroadcast(bby * x, by)
        # Grad of: bx += by * y
        bproduct = tangent.unbroadcast(bbx, product_form)
        bbx = tangent.unbroadcast(bbx, bx_form)
        bby = tangent.add_grad(bby, tangent.unbroadcast(bproduct * y, by))
        by_1 = tangent.unbroadcast(bproduct * by, y)
        # Grad of: y = y_values.pop()
        by_values_1.append(tangent.copy(by_1))
        y = y_values_2.pop()
    by_1 = tangent.zeros_like(y)
    for _ in reversed(range(n)):
        # Grad of: y = y * x
        y = y_values_1.pop()
        bx_1 = bx_1 + by_1 * y
        by_1 = by_1 * x
        # Grad of: y_values.append(y)
        by_1 = tangent.add_grad(by_1, by_values_1.pop())
    # Grad of: y = x
    bx_1 = tangent.add_grad(bx_1, by_1)
    return tangent.as_gradient(bx_1, x)
