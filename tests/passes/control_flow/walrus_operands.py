def f(v, n):
    s = 0
    while (d := n % 10) > 0:
        s += d
        n //= 10
        if s > 7:
            break
    if s > 3 and ((x := v[0]) > 1 or (y := v[1]) > 2) and x > 0:
        s += x
    for a in v:
        while a > 0 and (b := a - 1) > 0:
            a = b
    return s
