def f(xs):
    n = 0
    while n < 10:
        if xs[n]:
            if n > 3:
                break
            n += 2
        n += 1
    return n
