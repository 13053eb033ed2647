# group: Builtins
# plain: f([3, 0])
# plain: f([])
# staged: f(np.array([3, 0]))
# staged: f(np.array([3, 1]))
# plain: chosen([3, -4])
# staged: chosen(np.array([3.0, -4.0]))
# staged: chosen(np.array([3.0, 4.0]))
"""`any`, `all`"""


def f(values):
    if any(values):
        return 2 if all(values) else 1
    return 0


def chosen(values):
    if all(value > 0 for value in values):
        return 1
    if any(value > 2 for value in values):
        return 2
    return 3
