# call: f(np.array([1.0, 2.0]))


def f(x):
    xs = [0.0, 0.0]
    xs.__iadd__(x)
    return xs
