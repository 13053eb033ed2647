# call: f(np.arange(3.0))


def f(values):
    found = []
    for v in values:
        if v > 0:
            found.append(v)
    both = found and found[0] > 2
    return both + 1
