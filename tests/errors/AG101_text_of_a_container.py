# call: f(np.int64(3))


def f(x):
    return len(f"{[x]}")
