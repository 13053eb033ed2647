# call: f(np.float64(1.0), np.float64(2.0))


def f(x, y):
    return x is y
