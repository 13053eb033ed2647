def f_tangent(x, w, dx, dw):
    tangent.check_seed(dx, x)
    tangent.check_seed(dw, w)
    y = np.sin(x)
    dy = np.cos(x) * dx
    y_1 = y * w
    return tangent.broadcast(dy * w + y * dw, y_1)
