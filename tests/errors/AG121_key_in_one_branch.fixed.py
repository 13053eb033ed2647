# call: f(np.float64(1.0))


def f(x):
    table = {"low": 0.0, "high": x}
    if x > 0:
        table["high"] = x
    return table
