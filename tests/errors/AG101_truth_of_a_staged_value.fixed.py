# call: f(np.float64(1.0))


def f(x):
    if x > 0:
        return 1
    return 0
