# group: Expressions
# plain: f(3)
# staged: f(np.int64(3))
# plain: order(3)
# plain: wrong(3)
# staged: wrong(np.int64(3))
"""Calls: `*args`, `**kwargs`, their order and their errors"""


def shown(a, /, b, *rest, c=10, **others):
    return a, b, rest, c, others


def f(x):
    values, table = [2, x], {"c": 5, "d": x}
    return shown(x, 1), shown(*values, *values), shown(1, b=x, **table), shown(1, *values, e=3, **{"f": x})


def order(x):
    seen = []

    def note(value):
        seen.append(value)
        return value

    note(shown)(note(1), *note([2]), c=note(x), **note({"e": 4}))
    return seen[1:]


def wrong(x):
    return shown(x)

