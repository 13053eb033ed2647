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
    once = section()
    for i in range(n):
        with once:
            total += xs[i]
    return total
