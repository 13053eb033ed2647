# call: f(np.arange(5.0))


def f(values):
    best = None
    for v in values:
        if best is None or v > best:
            best = v
    return best
