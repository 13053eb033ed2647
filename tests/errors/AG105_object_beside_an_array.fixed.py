# call: f(np.array([1.0, 2.0]))


class Point:
    def __init__(self, x):
        self.x = x


def f(x):
    return x * Point(2.0).x
