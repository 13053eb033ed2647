def f(t):
    y = 0  # live out: t, y
    try:
        if t:  # live in: y; live out: y
            y = 1  # live out: y
        boom()  # live out: y
        y = 3  # live out: y
    except ValueError:
        pass
    return y


def g(c):
    with c:
        n = 1  # live out: n
        h()  # live out: n
        n = 2  # live out: n
    return n
