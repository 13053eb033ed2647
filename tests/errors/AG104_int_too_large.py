# call: f(np.int64(3))


def f(x):
    return int(x) + 2**70
