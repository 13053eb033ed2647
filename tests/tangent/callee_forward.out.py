def f_tangent(x, w, dw):
    tangent.check_seed(dw, w)
    layer_x_w, dlayer_x_w = layer_tangent(x, w, dw=dw)
    layer_1, dlayer_1 = layer_tangent2(layer_x_w, w, dx=dlayer_x_w, dw=dw)
    return np.sum(dlayer_1)


def layer_tangent(x, w, dw):
    dot_x_w = np.dot(x, w)
    ddot_x_w = np.dot(x, dw)
    y = np.tanh(dot_x_w)
    return y, (1 - y * y) * ddot_x_w


def layer_tangent2(x, w, dx, dw):
    dot_x_w = np.dot(x, w)
    ddot_x_w = np.dot(dx, w) + np.dot(x, dw)
    y = np.tanh(dot_x_w)
    return y, (1 - y * y) * ddot_x_w
