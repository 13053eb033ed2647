# call: f(np.ones((2, 3)))


def f(x):
    x[0, 1] = 5.0
    return x
