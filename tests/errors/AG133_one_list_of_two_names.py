# call: f(np.float64(3.0))


def f(x):
    if x > 0:
        a = b = [x]
    else:
        a, b = [x], [x, x]
    a.append(x)
    return a, b
