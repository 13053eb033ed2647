# call: f(np.int64(3))


def f(n):
    window = [0, 0]
    while n > 0:
        window.pop(0)
        window.append(n)
        n -= 1
    return window
