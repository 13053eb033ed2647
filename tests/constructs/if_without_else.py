# group: Statements
# plain: f(3, [])
# plain: f(-3, [])
# plain: unbound(1)
# plain: unbound(-1)
# staged: g(np.int64(3))
# staged: g(np.int64(-3))
# staged: unbound(np.int64(1))
# staged: unbound(np.int64(-1))
"""`if` without `else`"""


def f(x, seen):
    if x > 0:
        x = 10 - x
        seen.append(x)
    return x


def g(x):
    if x > 0:
        x = 10 - x
    return x


def unbound(x):
    if x > 0:
        y = x
    return y
