def f(xs):
    found = None
    n = 0
    for x in xs:  # live in: found, n; live out: found, n
        try:
            if x:  # live in: found, n, x; live out: found, n
                found = x  # live out: found, n
                break
            n = 5  # live out: found, n
        finally:
            n += 1  # live out: found, n
    else:
        found = -1  # live out: found, n
    return found, n
