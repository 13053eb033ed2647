def dchosendx(x, n, by=1.0):
    x_given = x
    fs = [np.sin, squared]
    taken_values = []
    value_form_values = []
    x_form_1_values = []
    saved_value_values = []
    x_values = []
    for k in range(n):
        taken = fs[k % 2] is np.sin
        taken_values.append(taken)
        if taken:
            value = np.sin(x)
        else:
            value, saved_value = squared_forward(x)
            saved_value_values.append(saved_value)
        x_values.append(x)
        value_form = tangent.form(value)
        x_form_1 = tangent.form(x)
        x = value + x
        value_form_values.append(value_form)
        x_form_1_values.append(x_form_1)
    f = np.tanh if x > 1 else squared
    taken_1 = f is np.tanh
    if taken_1:
        y = np.tanh(x)
        y_before = y
    else:
        y, saved_y = squared_forward(x)
    tangent.check_seed(by, y)
    if taken_1:
        y = y_before
        # Grad of: return f(x)
        bx = by * (1 - y * y)
    else:
        bx = squared_backward(saved_y, by)
    for k in reversed(range(n)):
        value_form = value_form_values.pop()
        x_form_1 = x_form_1_values.pop()
        # Grad of: x = fs[k % 2](x) + x
        bvalue = tangent.unbroadcast(bx, value_form)
        bx = tangent.unbroadcast(bx, x_form_1)
        x = x_values.pop()
        if taken_values.pop():
            bx = bx + bvalue * np.cos(x)
        else:
            saved_value = saved_value_values.pop()
            bx = tangent.add_grad(bx, squared_backward(saved_value, bvalue))
    return tangent.as_gradient(bx, x_given)


def squared_forward(x):
    return x * x, (x,)


def squared_backward(saved, by):
    x, = saved
    # Grad of: return x * x
    bx = by * x + by * x
    return bx
