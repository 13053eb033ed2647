def f(a, b, c):
    return a and b and c, a or not b, a in b, a not in b, a and (d := b)
