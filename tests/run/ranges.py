# run: sizes(np.int64(5))
# run: sizes(np.int64(0))
# run: sizes(np.int64(-3))
# run: items(np.int64(6))
# raises: items(np.int64(1)) IndexError
# run: kinds(np.float64(2.5), np.int64(3))
"""Staged ranges as objects, and conversions of scalars that keep their value."""


def sizes(n):
    return len(range(n)), len(range(2, n)), len(range(0, n, 2)), len(range(n, 0, -1))


def items(n):
    return range(n)[2], range(n)[-1], range(1, 10 * n, 3)[n - 3]


def kinds(x, n):
    y = x + 1.0
    return float(x), int(n), int(n) + 1, y, float(y)
