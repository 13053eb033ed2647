# call: f(np.float64(3))


def scaled(w, x):
    return w * x


def f(x):
    if x > 2:
        w = x * x
    else:
        w = 2.0
    return scaled(w, x)
