# call: f(np.float64(3))


def f(x):
    x.fill(1.0)
    return x
