# run: last(np.array([1.0, 2.0, 3.0]))
# run: sometimes(np.float64(1.0))
# raises: sometimes(np.float64(-1.0)) UnboundLocalError
# raises: last_of_none(np.int64(0)) UnboundLocalError
# run: last_of_none(np.int64(3))


def last(values):
    for v in values:
        seen = v * 2
    return seen


def sometimes(x):
    if x > 0:
        y = x + 1
    return y


def last_of_none(n):
    for i in range(n):
        k = i * 2
    return k
