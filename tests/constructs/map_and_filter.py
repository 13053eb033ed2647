# group: Builtins
# plain: f([3, -4])
# staged: f([np.int64(3), -4])
# plain: array([3, -4])
# staged: array(np.array([3.0, -4.0]))
# plain: chosen([3, -4])
# staged: chosen(np.array([3.0, -4.0]))
"""`map`, `filter`"""


def double(x):
    if x > 0:
        return x * 2
    return x


def f(values):
    return list(map(double, values)), list(map(lambda a, b: a + b, values, [1, 2]))


def array(values):
    total = 0.0
    for value in map(double, values):
        total = total + value
    return total


def chosen(values):
    return list(filter(lambda value: value > 0, values)), list(filter(None, [0, 1]))
