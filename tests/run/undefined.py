# run: deleted_after_a_return(np.int64(3))
# run: deleted_after_a_return(np.int64(-3))
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


def deleted_in_a_branch(a):
    n = 0
    if a < 0:
        return 0
    del n
    return None


def deleted_after_a_return(a):
    n = a * 2
    if a < 0:
        return n
    m = n
    del n
    return m + 1
