# call: f(np.arange(3.0), np.int64(5))


class Reader:
    @property
    def errors(self):
        print("asked")
        return IndexError


def f(xs, i):
    reader = Reader()
    y = -1.0
    try:
        y = xs[i]
    except reader.errors:
        y = 0.0
    return y
