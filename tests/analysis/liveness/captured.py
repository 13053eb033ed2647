def f(xs):
    k = 1  # live out: i, k, xs
    for i in xs:  # live in: i, k, xs; live out: i, k, xs
        k = i  # live out: i, k, xs
    g = lambda: k  # live out: i, k, xs
    h = (x + i for x in xs)  # live out: i, k
    return [k + 1 for _ in ()]
