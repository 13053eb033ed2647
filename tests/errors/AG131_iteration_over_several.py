# call: f(np.array([1, 2, 3]), np.bool_(True))


def f(x, c):
    y = x if c else x * 0.5
    total = 0.0
    for v in y:
        total += v
    return total
