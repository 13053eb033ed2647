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
    rest = 1.0 if n <= 1 else factorial(n - 1)
    with section(n):
        return n * rest


def f(n):
    return factorial(n)
