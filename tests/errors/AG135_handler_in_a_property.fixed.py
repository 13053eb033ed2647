# call: f(np.arange(3.0), np.int64(5))


def picked(xs, i):
    return xs[i]


class Row:
    def __init__(self, xs, i):
        self.xs = xs
        self.i = i

    def value(self):
        try:
            return picked(self.xs, self.i)
        except IndexError:
            return -1.0


def f(xs, i):
    return Row(xs, i).value()
