def dfdw(x, w, by=1.0):
    layer_x_w, saved_layer_x_w = layer_forward(x, w)
    layer_1, saved_layer_1 = layer_forward2(layer_x_w, w)
    tangent.check_seed(by, 0.0)
    # Grad of: return np.sum(layer(layer(x, w), w))
    blayer_x_w, bw = layer_backward2(saved_layer_1, tangent.unreduce(by, layer_1))
    bw = tangent.add_grad(bw, layer_backward(saved_layer_x_w, blayer_x_w))
    return tangent.as_gradient(bw, w)


def layer_forward(x, w):
    y = np.tanh(np.dot(x, w))
    return y, (w, x, y)


def layer_backward(saved, by):
    w, x, y = saved
    # Grad of: return np.tanh(np.dot(x, w))
    bw = tangent.dot_right(by * (1 - y * y), x, np.shape(w))
    return bw


def layer_forward2(x, w):
    y = np.tanh(np.dot(x, w))
    return y, (w, x, y)


def layer_backward2(saved, by):
    w, x, y = saved
    # Grad of: return np.tanh(np.dot(x, w))
    bdot_x_w = by * (1 - y * y)
    bx = tangent.dot_left(bdot_x_w, np.shape(x), w)
    bw = tangent.dot_right(bdot_x_w, x, np.shape(w))
    return bx, bw
