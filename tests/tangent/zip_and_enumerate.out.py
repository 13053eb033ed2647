def df(x, w, by=1.0):
    y = 0.0
    tangent.require_sequence(x, 'x')
    tangent.require_sequence(w, 'w')
    a_values = []
    b_values = []
    product_form_values = []
    y_form_values = []
    for i_1 in range(min(len(x), len(w))):
        next_a = x[i_1]
        next_b = w[i_1]
        a = next_a
        b = next_b
        product = a * b
        product_form = tangent.form(product)
        y_form = tangent.form(y)
        y = y + product
        a_values.append(a)
        b_values.append(b)
        product_form_values.append(product_form)
        y_form_values.append(y_form)
    tangent.require_sequence(x, 'x')
    i_values = []
    product_1_form_values = []
    y_form_1_values = []
    for i_2 in range(len(x)):
        next_a_1 = x[i_2]
        i = i_2
        a = next_a_1
        product_1 = i * a
        product_1_form = tangent.form(product_1)
        y_form_1 = tangent.form(y)
        y = y + product_1
        i_values.append(i)
        product_1_form_values.append(product_1_form)
        y_form_1_values.append(y_form_1)
    tangent.check_seed(by, y)
    bx = tangent.zeros_like(x)
    for i_2 in reversed(range(len(x))):
        i = i_values.pop()
        product_1_form = product_1_form_values.pop()
        y_form_1 = y_form_1_values.pop()
        # Grad of: y = y + i * a
        bproduct_1 = tangent.unbroadcast(by, product_1_form)
        by = tangent.unbroadcast(by, y_form_1)
        ba = bproduct_1 * i
        # Grad of: for i, a in enumerate(x):
        tangent.add_at(bx, i_2, ba)
    bw = tangent.zeros_like(w)
    for i_1 in reversed(range(min(len(x), len(w)))):
        a = a_values.pop()
        b = b_values.pop()
        product_form = product_form_values.pop()
        y_form = y_form_values.pop()
        # Grad of: y = y + a * b
        bproduct = tangent.unbroadcast(by, product_form)
        by = tangent.unbroadcast(by, y_form)
        ba = tangent.unbroadcast(bproduct * b, a)
        bb = tangent.unbroadcast(bproduct * a, b)
        # Grad of: for a, b in zip(x, w):
        bnext_b = bb
        bnext_a = ba
        tangent.add_at(bw, i_1, bnext_b)
        tangent.add_at(bx, i_1, bnext_a)
    return tangent.as_gradient(bx, x), tangent.as_gradient(bw, w)
