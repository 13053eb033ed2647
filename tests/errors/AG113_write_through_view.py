# call: f(np.ones((2, 3)))


def f(x):
    columns = x.T.reshape(-1)
    columns[1] = 5.0
    return x
