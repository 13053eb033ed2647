def df(x, w, by_1=1.0):
    y = x + 1
    y_before = tangent.copy(y)
    y_form = tangent.form(y)
    y *= w
    y_before_1 = tangent.copy(y)
    y *= w
    y_form_1 = tangent.form(y)
    tangent.check_seed(by_1, 0.0)
    # Grad of: return np.sum(y)
    by = tangent.unreduce(by_1, y_form_1)
    # Grad of: y *= w
    bw = tangent.unbroadcast(by * y_before_1, w)
    by = by * w
    # Grad of: y *= w
    bw = tangent.add_grad(bw, tangent.unbroadcast(by * y_before, w))
    by = tangent.unbroadcast(by * w, y_form)
    # Grad of: y = x + 1
    bx = by
    return tangent.as_gradient(bx, x), tangent.as_gradient(bw, w)
