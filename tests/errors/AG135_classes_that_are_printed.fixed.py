# call: f(np.arange(3.0), np.int64(5))


class Reader:
    @property
    def errors(self):
        print("asked")
        return IndexError


def f(xs, i):
    errors = Reader().errors
    y = -1.0
    try:
        y = xs[i]
    except errors:
        y = 0.0
    return y
