# run: both(np.float64(1.0), np.float64(2.0))
# run: both(np.float64(-1.0), np.float64(2.0))
# run: guarded(np.array([0.0, 2.0]), 1)
# run: guarded(np.array([0.0, 2.0]), 0)
# run: between(np.float64(0.5))
# run: between(np.float64(1.5))
# run: choose(np.int64(4))
# run: choose(np.int64(5))
# run: membership(np.array([1, 2, 3]), np.int64(2))
# run: membership(np.array([1, 2, 3]), np.int64(5))


def both(x, y):
    if x > 0 and y > 0:
        return 1
    if x > 0 or y > 0:
        return 2
    return 3


def guarded(values, i):
    if i > 0 and values[i] / values[i - 1] > 1.0:
        return 1
    return 0


def between(x):
    return 1 if 0.0 < x <= 1.0 else 0


def choose(n):
    return "even" and n // 2 if n % 2 == 0 else n * 3


def membership(values, v):
    if v in values:
        return 1
    if not v not in values:
        return 2
    return 3
