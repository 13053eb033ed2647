def f(n):
    while True:
        n -= 1
        if n < 0:
            break
    return n
