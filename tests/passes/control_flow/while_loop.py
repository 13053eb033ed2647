def f(x):
    n = 0
    while x > 1:
        half = x / 2
        x = half
        n += 1
    return n, x
