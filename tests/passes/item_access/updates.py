def f(x, i, v):
    x[i] += v
    x.a @= v + 1
    i += v
    x[i] //= (k := v)
    del x[i], x.a, v
