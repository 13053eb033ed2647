# call: f(np.int64(3))


def f(n):
    errors = int(n)
    both = bool(errors) and errors > 2
    return both + 1
