# call: f(np.float64(1.0))


class Counter:
    def __init__(self):
        self.count = 0

    def __add__(self, other):
        self.count += 1
        return other


def f(x):
    counter = Counter()
    if x > 0:
        x = counter + x
    return x, counter.count
