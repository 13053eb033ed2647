# call: f(np.array([2, 3]), np.int64(-1))


def f(x, n):
    if n < 0:
        return x
    return x**n
