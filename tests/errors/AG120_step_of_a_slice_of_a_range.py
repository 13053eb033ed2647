# call: f(np.int64(5), np.int64(2))


def f(n, step):
    total = 0
    for i in range(n)[::step]:
        total += i
    return total
