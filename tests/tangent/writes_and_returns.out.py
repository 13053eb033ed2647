def dfdx(x, by_1=1.0):
    y = x * x
    (z, new_y), saved_z_and_written = put_forward(y, 1, x[0])
    y[...] = new_y
    new_y_1, saved_new_y_1 = doubled_forward(y)
    y[...] = new_y_1
    doubled_y_form = tangent.form(y)
    sum_1 = np.sum(y)
    tangent.check_seed(by_1, sum_1 * z)
    # Grad of: return np.sum(doubled(y)) * z
    bsum_1 = tangent.unbroadcast(by_1 * z, sum_1)
    bz = by_1 * sum_1
    by = tangent.unreduce(bsum_1, doubled_y_form)
    by = doubled_backward(saved_new_y_1, by)
    # Grad of: z = put(y, 1, x[0])
    by, bx_1 = put_backward(saved_z_and_written, [bz, by])
    bx = tangent.zeros_like(x)
    tangent.add_at(bx, 0, bx_1)
    # Grad of: y = x * x
    bx += by * x + by * x
    return tangent.as_gradient(bx, x)


def put_forward(out, i, v):
    out = tangent.own_array(out, 'out')
    out_form = tangent.form(out)
    out[i] = v
    out_1 = out[0]
    out_1_copy = tangent.copy(out_1)
    out_1_form = tangent.form(out_1)
    return (v * out_1, out), (i, out_1_copy, out_1_form, out_form, v)


def put_backward(saved, by):
    i, out_1_copy, out_1_form, out_form, v = saved
    # Grad of: return v * out[0]
    bproduct = by[0]
    bout = by[1]
    bv = tangent.unbroadcast(bproduct * out_1_copy, v)
    bout_1 = tangent.unbroadcast(bproduct * v, out_1_form)
    bout = tangent.copy(bout)
    bout[0] += bout_1
    # Grad of: out[i] = v
    bv = tangent.add_grad(bv, tangent.unbroadcast(tangent.stored(bout, i, out_form), v))
    bout[i] = 0.0
    return bout, bv


def doubled_forward(a):
    a = tangent.own_array(a, 'a')
    product = a * 2.0
    a_form = tangent.form(a)
    a[:] = product
    return a, (a_form, product)


def doubled_backward(saved, by):
    a_form, product = saved
    # Grad of: return a
    ba = by
    # Grad of: a[:] = a * 2.0
    ba = tangent.copy(ba)
    bproduct = tangent.unbroadcast(tangent.stored(ba, slice(None, None), a_form), product)
    ba[:] = 0.0
    ba += bproduct * 2.0
    return ba
