# group: Expressions
# plain: f(2)
# plain: f(20)
# staged: f(np.int64(2))
# staged: f(np.int64(20))
# plain: effects(1)
# plain: effects(5)
# plain: mixed(2, [1, 2])
"""Chained comparisons: every operand at most once"""


def f(x):
    if 0 < x <= 10 != x:
        return 1
    return 1 if 5 < x else 0


def effects(x):
    seen = []

    def note(value):
        seen.append(value)
        return value

    result = note(3) < note(x) < note(4) < note(9)
    return result, seen


def mixed(x, values):
    return 1 < x in values, x is x is not None, 3 > x == 2
