# call: f(np.float64(1.0), np.random.default_rng(0))


def f(x, rng):
    return x + 0.0 * rng.random()
