def df(x, w, n, by=1.0):
    x_given = x
    taken_values = []
    for _ in range(n):
        taken = np.sum(x) > 1.0
        taken_values.append(taken)
        if taken:
            ratio = x / 2
            x = ratio + w
        else:
            x = x - w
    # Grad of: return np.sum(x)
    bx = tangent.filled(by, (2, 3))
    bw = np.zeros((3,))
    for _ in reversed(range(n)):
        if taken_values.pop():
            # Grad of: x = x / 2 + w
            bratio = bx
            bw = bw + bx.sum(axis=0)
            bx = bratio / 2
        else:
            # Grad of: x = x - w
            bw = bw + (-bx).sum(axis=0)
    return bx, bw
