# group: Assignment and deletion
# plain: f((1, 2, 3, 4), (5, (6, 7)))
# plain: few((1,))
# plain: many((1, 2, 3))
# plain: not_iterable(3)
# staged: f((np.int64(1), 2, 3, np.int64(4)), (5, (6, np.int64(7))))
# staged: array(np.array([1.0, 2.0, 3.0]))
# plain: array(np.array([1.0, 2.0, 3.0]))
# staged: few(np.ones(1))
# plain: few(np.ones(1))
"""Unpacking: nested, starred, lists as targets"""


def f(values, nested):
    first, *rest, last = values
    a, (b, c) = nested
    [d, e] = b, c
    *all_of_them, = values
    return first, rest, last, a, d, e, all_of_them


def few(values):
    a, b = values
    return a, b


def many(values):
    a, b = values
    return a, b


def not_iterable(values):
    a, b = values
    return a, b


def array(values):
    a, b, c = values
    first, *rest = values
    return a + b * c, first, rest
