def f(xs, limit):
    total = 0
    last = None
    for x in xs:  # live in: last, limit, total; live out: last, total
        t = x * 2  # live out: last, limit, t, total, x
        if t > limit:  # live in: last, limit, total, x; live out: last, limit, total
            last = x
        total += 1
    while total > 10:  # live in: last, total; live out: last, total
        total = total // 2
    return last, total
