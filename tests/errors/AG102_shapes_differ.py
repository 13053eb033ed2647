# call: f(np.ones((2, 3)), np.ones((4, 3)))


def f(x, w):
    y = x * 2.0
    return y @ w
