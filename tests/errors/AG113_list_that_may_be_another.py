# call: f(np.float64(3.0))


def f(x):
    steps = [x]
    found = [x, x]
    if x > 0:
        found = steps
    found.append(x)
    return steps, found
