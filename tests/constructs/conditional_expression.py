# group: Expressions
# plain: f(5)
# plain: f(-5)
# staged: f(np.int64(5))
# staged: f(np.int64(-5))
# plain: lazily(0)
# plain: lazily(4)
"""`a if test else b`"""


def f(x):
    y = x * 2 if x > 0 else -x if x < -3 else 0 * x
    return y + (1 if y else 2)


def lazily(x):
    return 0 if x == 0 else 1 // x
