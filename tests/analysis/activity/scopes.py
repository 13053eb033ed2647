def f(a, b, c):
    xs = [a + x for x in b if (y := x)]  # reads: a, b; writes: xs; may write: y
    g = lambda q=a: b + q  # reads: a; writes: g
    h = (a * x for x in b)  # reads: b; writes: h
    s = f"{a:{b}} {c!r}"  # reads: a, b, c; writes: s
    t = a if b else c  # reads: a, b, c; writes: t
    r = {k: v for k, v in c}  # reads: c; writes: r
    return a < b < c  # reads: a, b, c
