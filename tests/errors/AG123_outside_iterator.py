# call: f(np.float64(1.0))
scales = iter([1.0, 2.0])


def f(x):
    return x * next(scales)
