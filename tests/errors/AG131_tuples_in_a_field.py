# call: f(np.int64(3))


def f(n):
    cell = {"of": (0,)}
    for _ in range(n):
        cell = {"of": (cell["of"], 1)}
    return n
