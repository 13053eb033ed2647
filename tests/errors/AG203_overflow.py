# call: f(np.int64(70))


def f(n):
    x = 1
    for _ in range(n):
        x = x * 3
    return x
