def f(xs, n):
    for x in xs:
        if x < 0:
            continue
        elif x == "#":
            break
        n += x
    else:
        return n
    while True:
        if n: pass
        else: break
        assert n, "none"
    return x
