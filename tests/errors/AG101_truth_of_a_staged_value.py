# call: f(np.float64(1.0))


def f(x):
    try:
        if x > 0:
            return 1
    finally:
        pass
    return 0
