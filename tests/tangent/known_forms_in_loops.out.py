def df(x, w, n, by=1.0):
    x_given = x
    taken_values = []
    ratio_form_values = []
    x_form_values = []
    for _ in range(n):
        taken = np.sum(x) > 1.0
        taken_values.append(taken)
        if taken:
            ratio = x / 2
            ratio_form = tangent.form(ratio)
            x = ratio + w
            ratio_form_values.append(ratio_form)
        else:
            x_form = tangent.form(x)
            x = x - w
            x_form_values.append(x_form)
    # Grad of: return np.sum(x)
    bx = tangent.unreduce(by, x)
    bw = np.zeros((3,))
    for _ in reversed(range(n)):
        if taken_values.pop():
            ratio_form = ratio_form_values.pop()
            # Grad of: x = x / 2 + w
            bratio = tangent.unbroadcast(bx, ratio_form)
            bw = tangent.add_grad(bw, tangent.unbroadcast(bx, w))
            bx = bratio / 2
        else:
            x_form = x_form_values.pop()
            # Grad of: x = x - w
            bw = tangent.add_grad(bw, tangent.unbroadcast(-bx, w))
            bx = tangent.unbroadcast(bx, x_form)
    return tangent.as_gradient(bx, x_given), tangent.as_gradient(bw, w)
