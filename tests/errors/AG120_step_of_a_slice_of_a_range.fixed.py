# call: f(np.int64(5), np.int64(2))


def f(n, step):
    total = 0
    i = 0
    while i < n:
        total += i
        i += step
    return total
