# call: f(np.ones(1), np.int64(3))


def f(x, n):
    for _ in range(n):
        x = x[None]
    return x
