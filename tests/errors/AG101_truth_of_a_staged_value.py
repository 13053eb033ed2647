# call: f(np.float64(1.0))


def f(x):
    try:
        y = 0
    finally:
        if x > 0:
            return 1
    return y
