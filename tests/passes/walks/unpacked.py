def f(g, h, x):
    a, b = g
    c, *rest = g
    *first, x.last = h
    (d, e), i = g
    (j, *k), m = g, h
    n, *p = 1, 2, 3
    q, *r = 1, *g
    s = t, u = g
    for v, *w in h:
        print(v, w)
    y = (a, *g, b, c, *h)
    return y, {a, *g}, [*g], print(*g), x[1:2, *h]
