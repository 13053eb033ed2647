# call: f(np.float64(1.5))


def f(x):
    seen = []
    seen[x] += 1
    return seen
