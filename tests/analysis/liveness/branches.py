def f(a, b):
    n = 0  # live out: a, b, n
    if a:  # live in: b, n; live out: n
        n = b
    else:
        m = n
        n = m + 1
    return n
