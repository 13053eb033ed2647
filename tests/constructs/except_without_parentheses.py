# group: Exceptions and contexts
# since: 3.14
# plain: f(0)
# staged: g(np.int64(3))
# plain: g(3)
"""`except A, B` without parentheses"""


def f(x):
    try:
        return 1 // x
    except ZeroDivisionError, TypeError:
        return -1


def g(x):
    try:
        y = int("none")
    except ValueError, TypeError:
        y = x * 2
    return y
