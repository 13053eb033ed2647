# call: f(np.float64(3))


class Counter:
    def __init__(self):
        self.count = 0

    def __add__(self, other):
        self.count += 1
        return other


counter = Counter()


def f(x):
    return counter + x
