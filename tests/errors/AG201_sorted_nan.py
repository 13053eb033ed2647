# call: f(np.array([2.0, np.nan, 1.0]))


def f(xs):
    return sorted(xs)[0]
