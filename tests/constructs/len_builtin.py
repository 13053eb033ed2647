# group: Builtins
# plain: f([1, 2])
# staged: f(np.arange(6.0).reshape(3, 2))
# staged: f([np.int64(1), 2])
# staged: of_range(np.int64(7))
# staged: of_range(np.int64(-7))
# plain: of_range(-7)
# refused: of_zip(np.arange(3)) AG109 where CPython raises a `TypeError` too
# plain: of_zip([1, 2])
# plain: wrong(3)
# refused: wrong(np.int64(3)) AG109 where CPython raises a `TypeError` too
"""`len`"""


def f(values):
    if len(values) > 2:
        return len(values) * 2
    return len(values)


def wrong(x):
    return len(x)


def of_range(n):
    return len(range(n)), len(range(n, 10, 3))


def of_zip(values):
    return len(zip(values, values))
