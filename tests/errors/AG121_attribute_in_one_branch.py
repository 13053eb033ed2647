# call: f(np.float64(1.0))


class Box:
    pass


def f(x):
    box = Box()
    if x > 0:
        box.value = x
    return box.value
