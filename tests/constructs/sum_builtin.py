# group: Builtins
# plain: f([3, 1, 2])
# staged: f(np.array([3, 1, 2]))
# staged: f([np.int64(3), 1])
# plain: start([3, 1, 2])
# staged: start(np.array([3.0, 1.0]))
# staged: comprehension(np.array([3.0, 1.0]))
# plain: comprehension([3.0, 1.0])
"""`sum`"""


def f(values):
    return sum(values)


def start(values):
    return sum(values, 100) + sum([1, 2], start=5)


def comprehension(values):
    return sum(value * value for value in values)
