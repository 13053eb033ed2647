# call: f(np.int64(3))


class Counter:
    def __init__(self):
        self.calls = 0


def down(n, counter):
    counter.calls = counter.calls + 1
    if n > 0:
        down(n - 1, counter)


def f(n):
    counter = Counter()
    down(n, counter)
    return counter.calls
