# call: f(np.int64(3))


def f(n):
    errors = int(n)
    both = errors and errors > 2
    return both + 1
