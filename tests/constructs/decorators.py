# group: Functions
# plain: f(3)
# staged: f(np.int64(3))
# plain: order(3)
# plain: decorated(3)
# staged: decorated(np.int64(3))
"""Decorators of inner and outer functions"""
import functools


def twice(function):
    @functools.wraps(function)
    def wrapper(*args):
        return function(*args) * 2

    return wrapper


def plus(amount):
    def decorate(function):
        return lambda *args: function(*args) + amount

    return decorate


def f(x):
    @plus(100)
    @twice
    def inner(y):
        if y > 0:
            return y
        return -y

    return inner(x)


def order(x):
    seen = []

    def note(value):
        seen.append(value)
        return lambda function: seen.append(function.__name__ + value) or function

    @note("a")
    @note("b")
    def inner(y=seen.append("default")):
        return y

    return seen, inner(x)


@twice
def decorated(x):
    return x + 1
