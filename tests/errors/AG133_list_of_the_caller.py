# call: f(np.float64(3.0), [1.0, 2.0])


def f(x, given):
    found = [x]
    if x > 0:
        found = given
    return found
