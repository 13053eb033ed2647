# group: Pattern matching
# plain: f(5)
# plain: f(-5)
# plain: f(0)
# staged: g(np.int64(5))
# plain: g(5)
# refused: f(np.int64(5)) AG101 where a guard depends on data
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
