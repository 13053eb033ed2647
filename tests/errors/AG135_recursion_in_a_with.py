# call: f(np.int64(4))
from contextlib import contextmanager


@contextmanager
def section(n):
    print("begin", n)
    try:
        yield
    finally:
        print("end", n)


def factorial(n):
    with section(n):
        if n <= 1:
            return 1.0
        return n * factorial(n - 1)


def f(n):
    return factorial(n)
