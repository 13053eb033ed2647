# call: f([1.0, 2.0], np.float64(3.0))


def f(values, x):
    values += [x]
    return values
