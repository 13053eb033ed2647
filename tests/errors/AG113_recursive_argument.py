# call: f(np.zeros(4), np.int64(1))


def f(x, n):
    if n == 0:
        return x
    x[n] = n
    return f(x, n - 1)
