# call: f(np.float64(3))


def f(x):
    return f"got {x}"
