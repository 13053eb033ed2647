# call: f(np.array([1.0, 2.0]))


def f(x):
    seen = x > 0
    seen.fill(True)
    return seen
