# group: Builtins
# plain: f(3)
# staged: f(np.int64(3))
# plain: appended(4)
# staged: appended(np.int64(4))
# plain: growing(4)
# staged: growing(np.int64(4))
"""Methods of lists, dicts and strings"""


def f(x):
    values = [x, 1]
    values.append(x + 1)
    values.extend([2, x])
    values.insert(0, 5)
    last = values.pop()
    table = {"a": x}
    table.update(b=last)
    table.setdefault("c", []).append(x)
    return values, table, table.get("z", x), "a-b".split("-"), list(table.items())


def appended(x):
    values = []
    for i in range(3):
        values.append(x * i)
    return values, len(values), tuple(values), dict(a=x), list((x,))


def growing(n):
    values = []
    for i in range(n):
        values.append(i)
    return values
