# group: Statements
# plain: f(3)
# plain: f(-3)
# plain: g(-3)
# staged: f(np.int64(3))
# staged: f(np.int64(-3))
# staged: g(np.int64(3))
# staged: g(np.int64(-3))
"""`assert`, with and without a message"""


def f(x):
    assert x > 0
    return x + 1


def g(x):
    y = x * 2
    assert y > 0, f"{y} is not positive"
    return y
