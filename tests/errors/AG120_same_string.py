# call: f(np.float64(3))


def f(x):
    status = "small" if x < 1 else "large"
    default = "".join(["sma", "ll"])
    return status is default
