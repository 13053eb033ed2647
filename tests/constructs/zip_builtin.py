# group: Builtins
# plain: f([3, 4], [5, 6])
# staged: f(np.array([3, 4]), np.array([5, 6]))
# plain: listed([3, 4], [5, 6, 7])
# staged: listed([np.int64(3), 4], [5, 6, 7])
# plain: strict([1], [2, 3])
# staged: strict([np.int64(1)], [2, 3])
"""`zip`"""


def f(left, right):
    total = 0
    for a, b in zip(left, right):
        total = total * 2 + a * b
    return total


def listed(left, right):
    return list(zip(left, right)), dict(zip("ab", left))


def strict(left, right):
    return list(zip(left, right, strict=True))
