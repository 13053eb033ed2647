# call: f(np.ones(3), np.ones(4))


def f(x, y):
    return x + y
