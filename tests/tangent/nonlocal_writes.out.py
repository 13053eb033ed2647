def drunningdx(x, n, by_1=1.0):
    total = 0.0
    y = 1.0
    add_value_form_1_values = []
    saved_add_1_values = []
    y_form_values = []
    for k in range(n):
        add_1, saved_add_1 = add_forward(x * k, total=total, x=x)
        add_value, total = add_1
        add_value_form_1 = tangent.form(add_value)
        y_form = tangent.form(y)
        y = y + add_value
        add_value_form_1_values.append(add_value_form_1)
        saved_add_1_values.append(saved_add_1)
        y_form_values.append(y_form)
    tangent.check_seed(by_1, total * y)
    # Grad of: return total * y
    btotal = tangent.unbroadcast(by_1 * y, total)
    by = tangent.unbroadcast(by_1 * total, y)
    bx = tangent.zeros_like(x)
    for k in reversed(range(n)):
        add_value_form_1 = add_value_form_1_values.pop()
        saved_add_1 = saved_add_1_values.pop()
        y_form = y_form_values.pop()
        # Grad of: y = y + add(x * k)
        badd_value = tangent.unbroadcast(by, add_value_form_1)
        by = tangent.unbroadcast(by, y_form)
        bproduct, btotal, bx_part = add_backward(saved_add_1, [badd_value, btotal])
        bx = tangent.add_grad(bx, bx_part)
        bx += bproduct * k
    return tangent.as_gradient(bx, x)


def add_forward(v, *, total, x):
    product = total * x
    total_before = total
    total = product + v
    return (total * v, total), (product, total, total_before, v, x)


def add_backward(saved, by):
    product, total, total_before, v, x = saved
    # Grad of: return total * v
    bproduct_1 = by[0]
    btotal = by[1]
    btotal = btotal + bproduct_1 * v
    bv = tangent.unbroadcast(bproduct_1 * total, v)
    # Grad of: total = total * x + v
    bproduct = tangent.unbroadcast(btotal, product)
    bv = tangent.add_grad(bv, tangent.unbroadcast(btotal, v))
    total = total_before
    btotal = tangent.unbroadcast(bproduct * x, total)
    bx = tangent.unbroadcast(bproduct * total, x)
    return bv, btotal, bx
