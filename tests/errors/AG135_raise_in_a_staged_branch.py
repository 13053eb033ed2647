# call: f(np.float64(2.0))


def f(x):
    result = 1
    try:
        if x > 0:
            raise ValueError("positive")
    except ValueError:
        result = 2
    return result
