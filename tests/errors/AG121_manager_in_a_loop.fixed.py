# call: f(np.arange(3.0), np.int64(2))
from contextlib import contextmanager


@contextmanager
def section():
    print("begin")
    try:
        yield
    finally:
        print("end")


def f(xs, n):
    total = 0.0
    for i in range(n):
        with section():
            total += xs[i]
    return total
