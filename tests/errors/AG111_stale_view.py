# call: f(np.ones((2, 3)))


def f(x):
    columns = x.T.ravel()
    x[0, 1] = 5.0
    return columns.sum()
