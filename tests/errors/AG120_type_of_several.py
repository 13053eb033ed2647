# call: f(np.float64(2.0), np.bool_(True))


def f(x, c):
    y = x if c else 0
    return type(y) is int
