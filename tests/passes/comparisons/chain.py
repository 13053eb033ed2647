def f(a, b, c):
    return a < b, a < b() <= c, a is b is not c in a
