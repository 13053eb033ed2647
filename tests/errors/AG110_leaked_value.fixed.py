# call: f(np.float64(3))


def leak(x):
    return x * 2.0, x


def f(x):
    doubled, kept = leak(x)
    return kept + doubled
