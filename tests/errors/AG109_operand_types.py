# call: f(np.float64(3))


def f(x):
    return x << 2
