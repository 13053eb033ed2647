def dfdx(x, y, by_1=1.0):
    ys = [x, x * y, y]
    running_gives_and_written, saved_running_gives_and_written = running_forward(ys)
    ys_1 = ys[1]
    ys_form_2 = tangent.form(ys)
    ys_2 = ys[2]
    tangent.check_seed(by_1, ys_1 * ys_2)
    # Grad of: return ys[1] * ys[2]
    bys_1 = tangent.unbroadcast(by_1 * ys_2, ys_1)
    bys_2 = tangent.unbroadcast(by_1 * ys_1, ys_2)
    bys = tangent.zeros_like(ys_form_2)
    bys[2] += bys_2
    bys[1] += bys_1
    # Grad of: running(ys)
    bys = running_backward(saved_running_gives_and_written, [bys])
    # Grad of: ys = [x, x * y, y]
    bx = bys[0]
    bx = tangent.add_grad(bx, tangent.unbroadcast(bys[1] * y, x))
    return tangent.as_gradient(bx, x)


def running_forward(ys):
    total_form_values = []
    ys_1_form_values = []
    ys_form_2_values = []
    ys_i_form_values = []
    for i in range(1, len(ys)):
        ys_i = ys[i]
        ys_1 = ys[i - 1]
        ys_1_form = tangent.form(ys_1)
        ys_i_form = tangent.form(ys_i)
        total = ys_i + ys_1
        total_form = tangent.form(total)
        ys_form_2 = tangent.form(ys)
        ys[i] = total
        total_form_values.append(total_form)
        ys_1_form_values.append(ys_1_form)
        ys_form_2_values.append(ys_form_2)
        ys_i_form_values.append(ys_i_form)
    return None, (total_form_values, ys, ys_1_form_values, ys_form_2_values, ys_i_form_values)


def running_backward(saved, by):
    total_form_values, ys, ys_1_form_values, ys_form_2_values, ys_i_form_values = saved
    total_form_values = total_form_values.copy()
    ys_1_form_values = ys_1_form_values.copy()
    ys_form_2_values = ys_form_2_values.copy()
    ys_i_form_values = ys_i_form_values.copy()
    # Grad of: for i in range(1, len(ys)):
    bys = by[0]
    bys = tangent.copy(bys)
    for i in reversed(range(1, len(ys))):
        total_form = total_form_values.pop()
        ys_1_form = ys_1_form_values.pop()
        ys_form_2 = ys_form_2_values.pop()
        ys_i_form = ys_i_form_values.pop()
        # Grad of: ys[i] = ys[i] + ys[i - 1]
        btotal = tangent.unbroadcast(tangent.stored(bys, i, ys_form_2), total_form)
        bys[i] = tangent.zeros_at(ys_form_2, i)
        bys_i = tangent.unbroadcast(btotal, ys_i_form)
        bys_1 = tangent.unbroadcast(btotal, ys_1_form)
        bys[i - 1] += bys_1
        bys[i] += bys_i
    return bys
