def df(x, v, w, b, c, by=1.0):
    layer_x_v_b, saved_layer_x_v_b = layer_forward(x, v, b)
    layer_1, saved_layer_1 = layer_forward2(layer_x_v_b, w, c)
    # Grad of: return np.sum(layer(layer(x, v, b), w, c))
    blayer_x_v_b, bw, bc = layer_backward2(saved_layer_1, tangent.filled(by, (2, 5)))
    bv, bb = layer_backward(saved_layer_x_v_b, blayer_x_v_b)
    return bv, bw, bb, bc


def layer_forward(x, w, b):
    dot_x_w = np.dot(x, w)
    y = np.tanh(dot_x_w + b)
    return y, (b, dot_x_w, w, x, y)


def layer_backward(saved, by):
    b, dot_x_w, w, x, y = saved
    # Grad of: return np.tanh(np.dot(x, w) + b)
    btotal = by * (1 - y * y)
    bdot_x_w = btotal
    bb = btotal.sum(axis=0)
    bw = np.dot(x.T, bdot_x_w)
    return bw, bb


def layer_forward2(x, w, b):
    dot_x_w = np.dot(x, w)
    y = np.tanh(dot_x_w + b)
    return y, (b, dot_x_w, w, x, y)


def layer_backward2(saved, by):
    b, dot_x_w, w, x, y = saved
    # Grad of: return np.tanh(np.dot(x, w) + b)
    btotal = by * (1 - y * y)
    bdot_x_w = btotal
    bb = btotal.sum(axis=0)
    bx = np.dot(bdot_x_w, w.T)
    bw = np.dot(x.T, bdot_x_w)
    return bx, bw, bb
