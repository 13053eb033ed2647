def df(x, w, b, by_1=1.0):
    dot_x_w = np.dot(x, w)
    y = dot_x_w + b
    product = y * y
    tangent.check_seed(by_1, 0.0)
    # Grad of: return np.sum(y * y)
    bproduct = tangent.unreduce(by_1, product)
    by = bproduct * y + bproduct * y
    # Grad of: y = np.dot(x, w) + b
    bdot_x_w = tangent.unbroadcast(by, dot_x_w)
    bb = tangent.unbroadcast(by, b)
    bw = tangent.dot_right(bdot_x_w, x, np.shape(w))
    return tangent.as_gradient(bw, w), tangent.as_gradient(bb, b)
