# call: f(np.int64(3))


class Box:
    pass


def f(n):
    box = Box()
    for i in range(n):
        box.value = i
    return box.value
