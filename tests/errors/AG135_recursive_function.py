# call: f(np.arange(3.0), np.int64(0))


def total(xs, i):
    if i > 7:
        return 0.0
    return xs[i] + total(xs, i + 1)


def f(xs, i):
    try:
        return total(xs, i)
    except IndexError:
        return -1.0
