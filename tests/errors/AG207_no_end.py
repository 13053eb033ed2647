# call: f(np.int64(1))


def f(n):
    if n == 0:
        return 0
    return 1 + f(n + 1)
