# call: f(np.arange(3.0), np.int64(5))
from contextlib import contextmanager


@contextmanager
def section():
    print("begin")
    try:
        yield
    finally:
        print("end")


def f(xs, i):
    with section():
        return xs[i]
