def f(a, b):
    if a > 0:
        if b > 0:
            return b
    return sorted(a, key=lambda x: -x)
