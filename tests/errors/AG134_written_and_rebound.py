# call: f(np.arange(3.0), np.int64(4))


def f(x, n):
    for i in range(n):
        x[0] = x[0] + i
        x = x * 2
    return x
