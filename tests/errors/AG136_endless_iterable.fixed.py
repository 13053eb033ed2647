# call: f(np.float64(3))


def f(x):
    i = 0
    while True:
        if x < i:
            break
        x = x - 1
        i += 1
    return x
