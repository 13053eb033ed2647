# call: f(np.arange(5.0), np.int64(3))


def f(x, i):
    total = 0.0
    for k in range(3):
        total += x[i + k]
    return total
