# call: f(np.float64(1.0))


def f(x):
    seen = {1, 2}
    if x > 0:
        seen.add(3)
    return len(seen)
