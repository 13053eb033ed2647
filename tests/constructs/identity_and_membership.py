# group: Expressions
# plain: f(2)
# plain: identity(None)
# plain: identity(2)
# staged: identity(np.int64(2))
# staged: f(np.int64(2))
# staged: in_array(np.array([1, 2, 3]), np.int64(2))
# staged: in_array(np.array([1, 2, 3]), np.int64(5))
# plain: in_array(np.array([1, 2, 3]), 5)
# staged: in_set(np.int64(2))
# plain: in_set(2)
# plain: key("a")
# staged: key("a")
"""`in`, `not in`, `is`, `is not`"""


def f(x):
    if x in (1, 2):
        y = 1
    else:
        y = 2
    if x not in [5, 6]:
        y += 10
    return y


def identity(x):
    y = x
    return x is None, x is not None, y is x, y is not x


def in_array(values, x):
    if x in values:
        return 1
    return 0


def in_set(x):
    return 1 if x in {1, 2} else 0


def key(name):
    return name in {"a": 1}, name in "cab", "x" not in name
