# call: f(np.int64(3))


def f(n):
    window = [0, 0]
    while n > 0:
        window.pop(0)
        window = window + [n]  # noqa: RUF005
        n -= 1
    return window
