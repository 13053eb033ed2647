# call: f(np.float64(3.0))


def f(x):
    steps = [x]
    found = [x, x]
    if x > 0:
        found = list(steps)
    else:
        found = list(found)
    found.append(x)
    return steps, found
