# group: Classes
# plain: f(3)
# staged: f(np.int64(3))
# staged: f(np.int64(-3))
# plain: missing(3)
"""`__slots__`"""


class Box:
    __slots__ = ("count", "value")

    def __init__(self, value):
        self.value = value
        self.count = 0


def f(x):
    box = Box(x)
    if x > 0:
        box.value = box.value * 2
        box.count += 1
    return box.value, box.count


def missing(x):
    box = Box(x)
    box.other = x
    return x
