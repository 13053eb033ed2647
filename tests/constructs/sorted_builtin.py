# group: Builtins
# plain: f([3, 1, 2])
# staged: f(np.array([3.0, 1.0, 2.0]))
# plain: keyed([3, -1, 2])
# plain: mixed([1, "a"])
# staged: keyed(np.array([3, -1, 2]))
"""`sorted`"""


def f(values):
    ordered = sorted(values)
    return ordered[0], ordered[-1], sorted(values, reverse=True)[0]


def keyed(values):
    return sorted(values, key=lambda value: value * value)


def mixed(values):
    return sorted(values)
