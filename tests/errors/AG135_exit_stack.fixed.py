# call: f(np.arange(3.0), np.int64(5))
from contextlib import contextmanager


@contextmanager
def section(name):
    print("begin", name)
    try:
        yield name
    except IndexError as error:
        print(error)


def f(xs, i):
    y = -1.0
    with section("a"), section("b"):
        y = xs[i]
    return y
