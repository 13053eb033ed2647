def f(xs):
    total = 0
    for x in xs:
        if x < 0:
            if x < -10:
                continue
            total += 1
        total += x
    return total
