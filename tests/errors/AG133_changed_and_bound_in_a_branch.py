# call: f(np.float64(3.0))


def f(x):
    steps = [x]
    if x > 0:
        steps.append(x * 2)
        found = steps
    else:
        found = [x]
    return steps, found
