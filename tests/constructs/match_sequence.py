# group: Pattern matching
# plain: f([])
# plain: f((1,))
# plain: f([1, 2])
# plain: f([1, 2, 3, 4])
# plain: f("ab")
# plain: nested([1, (2, 3)])
# staged: f((np.int64(1), np.int64(2)))
# staged: nested([1, (np.int64(2), np.int64(3))])
# staged: tests(np.int64(0), np.int64(3))
# staged: tests(np.int64(3), np.int64(0))
# staged: tests(np.int64(2), np.int64(2))
# staged: tests(np.int64(2), np.int64(3))
# staged: grown(np.int64(1))
# staged: grown(np.int64(2))
# staged: grown(np.int64(4))
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


def tests(x, y):
    match x, y:
        case (0, n) | (n, 0):
            return n * 10
        case (a, b) if a == b:
            return a
        case a, *rest:
            return a + len(rest)


def grown(n):
    values = []
    for i in range(n):
        values.append(i * i)
    match values:
        case [one]:
            return one + 100
        case [a, b]:
            return a - b
        case [0, *_, last]:
            return last
    return -1
