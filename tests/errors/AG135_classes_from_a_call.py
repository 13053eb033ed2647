# call: f(np.arange(3.0), np.int64(5))


def lookups(also):
    return (IndexError, also)


def f(xs, i):
    y = -1.0
    try:
        y = xs[i]
    except lookups(KeyError):
        y = 0.0
    return y
