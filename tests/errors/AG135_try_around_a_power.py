# call: f(np.array([2, 3]), np.int64(-1))


def f(x, n):
    try:
        return x**n
    except ValueError:
        return x
