# group: Pattern matching
# plain: f(5)
# plain: f(-5)
# plain: f(0)
# staged: g(np.int64(5))
# plain: g(5)
# staged: h(np.int64(5), 2)
# staged: h(np.int64(-5), 2)
# staged: h(np.int64(-7), 2)
# plain: h(0, 2)
# refused: f(np.int64(5)) AG131 where one case gives a number and another a tuple
"""Capture patterns, guards, `as`"""


def f(x):
    match x:
        case value if value > 0:
            return value
        case (-5 | -6) as value:
            return value, "negative"
        case other:
            return other, "other"


def g(x):
    match x:
        case value:
            y = value * 2
    return y, value


def h(x, least):
    match x:
        case value if value > least:
            y = value
        case (-5 | -6) as value:
            y = value * 10
        case other:
            y = other - 1
    return y, value
