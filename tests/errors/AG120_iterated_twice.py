# call: f(np.arange(5.0))


def f(xs):
    pairs = zip(xs, xs)
    total = 0.0
    for a, b in pairs:
        total += a * b
    for a, b in pairs:
        total += a + b
    return total
