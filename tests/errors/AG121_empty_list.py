# call: f(np.int64(3))


def f(n):
    rest = []
    return rest[:n]
