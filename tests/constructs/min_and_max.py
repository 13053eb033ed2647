# group: Builtins
# plain: f(3, 5)
# staged: f(np.int64(3), np.int64(5))
# staged: f(np.float64("nan"), np.float64(1))
# plain: f(float("nan"), 1.0)
# plain: array([3, 1, 2])
# staged: array(np.array([3.0, 1.0, 2.0]))
# plain: keyed([3, -4])
# plain: empty([])
# staged: loop(np.int64(4))
# plain: loop(4)
"""`min`, `max`"""


def f(a, b):
    return min(a, b), max(a, b), max(a, b, 4) - min(a, 4, b)


def array(values):
    return min(values), max(values)


def keyed(values):
    return max(values, key=abs), min([], default=3), max(*values)


def empty(values):
    return max(values)


def loop(n):
    best = -1
    for i in range(n):
        best = max(best, (i * 3) % 5)
    return best
