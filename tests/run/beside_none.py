# run: equality(np.float64(2.0), np.bool_(True))
# run: equality(np.float64(2.0), np.bool_(False))
# run: equality(np.int64(2), np.bool_(False))
# run: equality(np.uint8(2), np.bool_(True))
# run: equality(2, np.bool_(False))
# run: equality(2.5, np.bool_(True))
# run: largest(np.float64(3.0), np.bool_(True))
# run: largest(np.float64(3.0), np.bool_(False))
# run: largest(np.int64(1), np.bool_(True))
# run: largest(7, np.bool_(False))
# raises: added_in_place(np.float64(1.5), np.int64(-1)) TypeError
# raises: added_in_place(np.float64(1.5), np.int64(1)) TypeError
# run: written(np.float64(2.5), np.bool_(False))
# run: written(np.float64(2.5), np.bool_(True))
# run: written(3, np.bool_(False))
# run: written_into_ints(np.int64(3), np.bool_(True))
# raises: written_into_ints(np.int64(3), np.bool_(False)) TypeError
# run: sums(np.int64(1), np.int64(1))
# run: sums(np.int64(1), np.int64(-1))
# raises: sums(np.int64(-1), np.int64(1)) TypeError
# raises: sums(np.int64(-1), np.int64(-1)) TypeError
# run: orders(np.int64(1), np.int64(1))
# run: orders(np.int64(1), np.int64(-1))
# raises: orders(np.int64(-1), np.int64(1)) TypeError
# raises: orders(np.int64(-1), np.int64(-1)) TypeError
# run: updates(np.int64(1), np.int64(1))
# run: updates(np.int64(1), np.int64(-1))
# raises: updates(np.int64(-1), np.int64(1)) TypeError
# raises: updates(np.int64(-1), np.int64(-1)) TypeError
# run: largest_of_two(np.int64(1), np.int64(1))
# run: largest_of_two(np.int64(1), np.int64(-1))
# raises: largest_of_two(np.int64(-1), np.int64(1)) TypeError
# raises: largest_of_two(np.int64(-1), np.int64(-1)) TypeError
# run: both_optional(np.int64(1), np.int64(1))
# raises: both_optional(np.int64(1), np.int64(-1)) TypeError
# raises: both_optional(np.int64(-1), np.int64(1)) TypeError
# raises: both_optional(np.int64(-1), np.int64(-1)) TypeError
# run: arrays_and_numbers(np.int64(1), np.int64(1))
# run: arrays_and_numbers(np.int64(1), np.int64(-1))
# raises: arrays_and_numbers(np.int64(-1), np.int64(1)) TypeError
# raises: arrays_and_numbers(np.int64(-1), np.int64(-1)) TypeError
# run: aliased(np.int64(1))
# raises: aliased(np.int64(-1)) UFuncTypeError
# run: compared('ab', np.int64(1))
# run: compared('ab', np.int64(-1))
# run: compared(2.5, np.int64(1))
# run: compared(np.float32(1.5), np.int64(-1))
"""What CPython and NumPy give where a value that may be ``None`` is it."""

import numpy as np


def maybe(x, c):
    value = None
    if c:
        value = x
    return value


def equality(x, c):
    value = maybe(x, c)
    return value == x, x == value, value != x, x != value, value == None, value == value  # noqa: E711


def largest(x, c):
    v = maybe(x, c)
    found = [0, 0, 0, 0, 0]
    if v is not None:
        found = [max(v, 2), max(2, v), min(v, x), min(2.5, v), max([v, 1])]
    return found


def written(x, c):
    a, b, z = np.zeros(3), np.zeros(3, np.float32), np.zeros(2, complex)
    flags = np.ones(2) > 0
    a[1] = b[:] = z[0] = flags[0] = maybe(x, c)
    return a, b, z, flags


def written_into_ints(x, c):
    a = np.zeros(3, np.int32)
    a[1] = maybe(x, c)
    return a


def added_in_place(a, b):
    m = None
    m += a if b > 0 else 3
    return m


def several(b):
    return 2 if b > 0 else 2.5


def sums(a, b):
    m, c = maybe(1.5, a > 0), several(b)
    return m + c, c + m


def orders(a, b):
    m, c = maybe(1.5, a > 0), several(b)
    return c < m, m < c


def updates(a, b):
    m, c = maybe(1.5, a > 0), several(b)
    c -= m
    return c


def largest_of_two(a, b):
    m, c = maybe(1.5, a > 0), several(b)
    return max(c, m)


def both_optional(a, b):
    m, c = maybe(several(b), a > 0), maybe(several(a), b > 0)
    return m * c


def arrays_and_numbers(a, b):
    m, c = maybe(np.ones(2), a > 0), several(b)
    m += c
    return m


def aliased(a):
    x = np.zeros(2)
    seen = x
    x += maybe(1.5, a > 0)
    return x, seen


def compared(other, a):
    m = maybe(np.int64(1), a > 0)
    c = 1 if a > 0 else np.float64(1.0)
    return m == other, other != m, m == c, c == m
