# call: f(np.int64(1))


class Step:
    def __init__(self, n):
        self.n = n


def f(n):
    step = Step(n)
    if n > 0:
        f(n - 1)
    return step
