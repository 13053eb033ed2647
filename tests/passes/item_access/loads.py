def f(x, i):
    return x[i], x[1:], x[:, None, ::2], x[i][0].a
