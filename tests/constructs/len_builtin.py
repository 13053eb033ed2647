# group: Builtins
# plain: f([1, 2])
# staged: f(np.arange(6.0).reshape(3, 2))
# staged: f([np.int64(1), 2])
# plain: wrong(3)
# refused: wrong(np.int64(3)) AG109 where CPython raises a `TypeError` too
"""`len`"""


def f(values):
    if len(values) > 2:
        return len(values) * 2
    return len(values)


def wrong(x):
    return len(x)
