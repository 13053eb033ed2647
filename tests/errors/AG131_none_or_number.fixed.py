# call: f(np.arange(5.0))


def f(values):
    best = values[0]
    for v in values:
        if v > best:
            best = v
    return best
