# call: f(np.arange(3.0))
from contextlib import contextmanager


@contextmanager
def scaled(x):
    yield x * 2.0
    yield x * 3.0


def f(xs):
    with scaled(xs) as ys:
        total = ys.sum()
    return total
