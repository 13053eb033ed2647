# call: f(np.arange(3.0), np.int64(5))


def f(xs, i):
    y = -1.0
    try:
        y = xs[i]
    except (IndexError, KeyError):
        y = 0.0
    return y
