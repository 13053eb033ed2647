# call: f(np.int64(10))


def f(n):
    if n == 0:
        return n
    if n < 0:
        return f(n + 1)
    return f(n - 1)
