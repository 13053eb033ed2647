def f(a, b):
    if a > 0:
        if b > 0:
            return b
    elif b > 0:
        if b > 1:
            return 1
        print(b)
    return a, b
