# call: f(np.arange(5.0))


def f(values):
    best = "none"
    for v in values:
        if best == "none" or v > best:
            best = v
    return best
