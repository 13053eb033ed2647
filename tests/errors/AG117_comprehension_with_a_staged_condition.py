# call: f(np.arange(9.0))


def f(xs):
    return [v for v in xs if v > 3]
