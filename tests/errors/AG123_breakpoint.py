# call: f(np.float64(1.0))


def f(x):
    y = x * 2
    breakpoint()
    return y
