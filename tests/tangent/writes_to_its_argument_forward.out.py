def f_tangent(x, dx):
    tangent.check_seed(dx, x)
    y = x * x
    dy = dx * x + x * dx
    (put_y, new_y), dput_y_and_written = put_tangent(y, 1, x[0], dout=dy, dv=dx[0])
    dput_y, dnew_y = dput_y_and_written
    y[...] = new_y
    dy[...] = dnew_y
    sum_y = np.sum(y)
    dsum_y = tangent.copy(np.sum(dy))
    y_1 = put_y * sum_y
    return tangent.copy(tangent.broadcast(dput_y * sum_y + put_y * dsum_y, y_1))


def put_tangent(out, i, v, dout, dv):
    out = tangent.own_array(out, 'out')
    dout = tangent.copy(dout)
    out[i] = v
    dout[i] = tangent.storable(dv, out)
    out_1 = out[0]
    dout_1 = dout[0]
    product = v * out_1
    return (product, out), (tangent.copy(tangent.broadcast(dv * out_1 + v * dout_1, product)), dout)
