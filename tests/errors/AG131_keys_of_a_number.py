# call: f(np.array([1.0, 2.0]), np.bool_(True))


def f(x, c):
    v = x
    if c:
        v = 0.5
    found = {}
    found |= v
    return found
