# call: f(np.arange(3.0))


def f(x):
    return list(iter(x))
