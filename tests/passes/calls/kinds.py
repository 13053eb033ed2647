def f(g, *a, **k):
    return g(), g(1, *a, b=2, **k), g.m(g(a)), globals()
