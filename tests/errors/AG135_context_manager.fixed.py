# call: f(np.arange(3.0), np.int64(2))
from contextlib import contextmanager


@contextmanager
def section():
    print("begin")
    try:
        yield
    finally:
        print("end")


def f(xs, i):
    x = xs[i]
    with section():
        y = x * 2.0
    return y
