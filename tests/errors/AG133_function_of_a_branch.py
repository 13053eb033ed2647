# call: f(np.float64(3))


def scaled(w):
    return lambda x: w * x


def f(x):
    if x > 2:
        g = scaled(x * x)
    else:
        g = scaled(2.0)
    return g(x)
