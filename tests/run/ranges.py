# run: sizes(np.int64(5))
# run: parts(np.int64(7), np.int64(2), np.int64(-1))
# run: parts(np.int64(7), np.int64(-3), np.int64(20))
# run: parts(np.int64(0), np.int64(1), np.int64(3))
# run: parts(np.int64(9), np.int64(6), np.int64(2))
# run: sizes(np.int64(0))
# run: sizes(np.int64(-3))
# run: items(np.int64(6))
# raises: items(np.int64(1)) IndexError
# run: kinds(np.float64(2.5), np.int64(3))
# raises: from_what_is_no_integer(np.int64(5), 2.5) TypeError
# raises: from_what_is_no_integer(np.int64(5), "1") TypeError
# raises: from_what_is_no_integer(np.int64(5), (1, 2)) TypeError
# raises: of_four(np.int64(5)) TypeError
"""Staged ranges as objects, and conversions of scalars that keep their value."""


def sizes(n):
    return len(range(n)), len(range(2, n)), len(range(0, n, 2)), len(range(n, 0, -1))


def items(n):
    return range(n)[2], range(n)[-1], range(1, 10 * n, 3)[n - 3]


def parts(n, start, stop):
    total = 1
    for i in range(n)[start:stop]:
        total = (total * 7 + i) % 100003
    for i in range(2, n, 3)[stop:start:-1]:
        total = (total * 7 + i) % 100003
    for i in reversed(range(10)[:stop]):
        total = (total * 7 + i) % 100003
    for i in range(n)[::-2]:
        total = (total * 7 + i) % 100003
    return total, len(range(n)[start:])


def kinds(x, n):
    y = x + 1.0
    return float(x), int(n), int(n) + 1, y, float(y)


def from_what_is_no_integer(n, start):
    total = 0
    for i in range(start, n):
        total += i
    return total


def of_four(n):
    return list(range(1, n, 1, 1))
