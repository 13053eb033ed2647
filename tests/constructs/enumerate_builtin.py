# group: Builtins
# plain: f([3, 4])
# staged: f(np.array([3, 4]))
# plain: listed([3, 4])
# staged: listed([np.int64(3), 4])
"""`enumerate`"""


def f(values):
    total = 0
    for i, value in enumerate(values, 5):
        if value > 3:
            total = total + i * value
    return total


def listed(values):
    return list(enumerate(values)), next(enumerate(values, start=2))
