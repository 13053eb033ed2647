# call: f(np.arange(8.0))


def f(x):
    x[::2] = x[:4].copy()
    return x
