# group: Statements
# plain: f([1, 2, 3])
# plain: keys({"a": 1, "b": 2})
# staged: g(np.int64(3))
# staged: keys({"a": np.int64(1), "b": np.int64(2)})
"""`for` over lists and dicts"""


def f(values):
    total = 0
    for value in values:
        total += value
    for value in (10, 20):
        total -= value
    return total


def g(x):
    total = 0
    for value in [x, x + 1, x * x]:
        if value > 3:
            total += value
    return total


def keys(table):
    names = ""
    total = 0
    for name in table:
        names += name
        total += table[name]
    for name, value in table.items():
        names += name
        total = total * 3 + value
    for value in table.values():
        total -= value
    return names, total
