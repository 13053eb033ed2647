# call: f(np.ones((2, 3)))


def f(x):
    row = x[0]
    x[0, 1] = 5.0
    return row.sum()
