# call: f(np.int64(3))


def f(n):
    mixed = [1.5]
    while n > 0:
        mixed.append((n, n))
        n -= 1
    return mixed
