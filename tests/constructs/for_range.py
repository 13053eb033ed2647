# group: Statements
# plain: f(2, 20, 3)
# plain: f(20, 2, -3)
# plain: f(2, 2, 1)
# staged: f(np.int64(2), np.int64(20), 3)
# staged: f(np.int64(20), np.int64(2), -3)
# staged: g(np.int64(7))
# staged: last(np.int64(5))
"""`for` over `range`"""


def f(start, stop, step):
    total = 0
    for i in range(start, stop, step):
        total = total * 2 + i
    return total


def g(n):
    total = 0.0
    for i in range(n):
        total = total + 0.5 * i
    return total


def last(n):
    i = -1
    for i in range(n):
        pass
    return i
