# call: f(np.ones(2))


def f(x):
    if x[0] > 0:
        y = x
    else:
        y = x * 2
    x += 1
    return y.sum()
