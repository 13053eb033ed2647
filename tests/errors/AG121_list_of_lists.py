# call: f(np.int64(3))


def f(n):
    rows = []
    while n > 0:
        rows.append([n])
        n -= 1
    return rows
