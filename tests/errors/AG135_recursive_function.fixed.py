# call: f(np.arange(3.0), np.int64(0))


def f(xs, i):
    total = 0.0
    try:
        while i <= 7:
            total += xs[i]
            i += 1
    except IndexError:
        return -1.0
    return total
