# group: Exceptions and contexts
# plain: f(0)
# plain: f(1)
# plain: f(2)
# plain: context(0)
# staged: f(np.int64(3))
"""Bare `raise`, and exceptions raised while another is handled"""


def f(x):
    try:
        if isinstance(x, int) and x == 0:
            raise ValueError("first")
        if isinstance(x, int) and x == 1:
            raise TypeError("second")
    except ValueError as error:
        error.add_note("seen")
        raise
    except TypeError as error:
        raise error
    return x * 2


def context(x):
    try:
        x // 0
    except ZeroDivisionError:
        raise ValueError("while handling")
