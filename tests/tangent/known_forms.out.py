def df(x, w, b, by=1.0):
    dot_x_w = np.dot(x, w)
    tanh_1 = np.tanh(dot_x_w + b)
    product = tanh_1 * 0.5
    # Grad of: return np.sum(np.tanh(np.dot(x, w) + b) * 0.5)
    btotal = tangent.filled(by, (2, 4)) * 0.5 * (1 - tanh_1 * tanh_1)
    bdot_x_w = btotal
    bb = btotal.sum(axis=0)
    bw = np.dot(x.T, bdot_x_w)
    return bw, bb
