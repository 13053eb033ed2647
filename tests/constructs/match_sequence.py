# group: Pattern matching
# plain: f([])
# plain: f((1,))
# plain: f([1, 2])
# plain: f([1, 2, 3, 4])
# plain: f("ab")
# plain: nested([1, (2, 3)])
# staged: f((np.int64(1), np.int64(2)))
# staged: nested([1, (np.int64(2), np.int64(3))])
# plain: array(np.ones(2))
# staged: array(np.ones(2))
"""Sequence patterns, starred and nested"""


def f(values):
    match values:
        case []:
            return "empty"
        case [one]:
            return one
        case (a, b):
            return a + b
        case [first, *rest]:
            return first, rest
        case _:
            return "none"


def nested(values):
    match values:
        case [1, (a, b)] if len(values) == 2:
            return a * b
    return -1


def array(x):
    match x:
        case [a, b]:
            return a + b
        case _:
            return x * 2
