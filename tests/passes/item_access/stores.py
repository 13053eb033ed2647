def f(x, i, v):
    x[i] = v
    x[g()] = h()
    x[1:, i] = 0
    x.a = v
    x.b = g()
    a = x[i] = g()
    x[i], i = v
    for x.c, x[0] in v:
        pass
