# call: f(np.int64(1), ())


def f(n, numbers):
    if n > 9:
        return 0
    return f(n + 1, (*numbers, n))
