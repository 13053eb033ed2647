# call: f(np.int64(3))


def f(x):
    return x + 2**70
