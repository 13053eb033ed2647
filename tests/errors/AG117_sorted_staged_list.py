# call: f(np.arange(9.0))


def f(xs):
    kept = [v for v in xs if v > 6]
    kept.sort()
    return kept
