# call: f(np.ones(2), np.zeros(2))


def f(x, z):
    if x[0] > z[0]:
        y = x
    else:
        y = z
    y += 1
    return y
