# group: Expressions
# plain: f(5, 0)
# plain: f(0, 0)
# plain: f(-1, 3)
# staged: f(np.int64(5), np.int64(0))
# staged: f(np.int64(-1), np.int64(3))
# plain: values([], 3, None)
# plain: values([1], 0, "a")
# plain: effects(0)
# plain: effects(1)
# staged: short(np.int64(0))
# staged: short(np.int64(7))
# plain: short(0)
"""`and`, `or`, `not`: their values, and what is not evaluated"""


def f(a, b):
    if a > 0 and b > 0 or not a:
        return 1
    if not (a > 0 or b < 0):
        return 2
    return 3


def values(a, b, c):
    return (a and b), (a or b), (b and c or a), (not a), (not b), (a or c and b)


def effects(x):
    seen = []

    def note(value):
        seen.append(value)
        return value

    note(x) and note(2)
    note(x) or note(3)
    return seen


def short(x):
    if x != 0 and 14 // x > 1:
        return 1
    return 0
