def f(x):
    global g
    g = x  # live out: g
    if g:  # live in: g; live out: g
        g = 2
