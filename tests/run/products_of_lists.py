# raises: by_a_float(np.int64(3)) TypeError
# raises: by_a_float_behind(np.int64(3)) TypeError
# raises: known_list_by_a_float(np.int64(3)) TypeError
# raises: known_list_by_a_bool(np.int64(3)) TypeError
# raises: row_by_a_float([1.0, 2.0], np.int64(3)) TypeError
# run: by_an_int(np.int64(3))
# run: by_an_int(np.int64(0))
# run: known_list_by_an_int(np.int64(3))
# run: by_numpy(np.int64(3))
# run: by_an_array(np.int64(2))
# run: other_operators(np.int64(3))
"""A scalar of NumPy times a list repeats it or raises; all else NumPy does by elements."""

import numpy as np


def grown(n):
    found = []
    for i in range(n):
        found.append(i * 1.0)
    return found


def by_a_float(n):
    return np.float64(1.5) * grown(n)


def by_a_float_behind(n):
    return grown(n) * np.float64(2.0)


def known_list_by_a_float(n):
    return np.float64(2.0) * [1.0, n]


def known_list_by_a_bool(n):
    return [1.0, n] * np.bool_(True)


def row_by_a_float(x, n):
    return np.float64(2.0) * [x for _ in range(6)][n]


def by_an_int(n):
    return np.int64(2) * grown(n), grown(n) * np.int32(2)


def known_list_by_an_int(n):
    return np.int64(2) * [1.0, n], [n, 2] * np.uint8(2)


def by_numpy(n):
    return np.multiply(np.float64(1.5), grown(n)), np.multiply(np.int64(2), [1.0, n])


def by_an_array(n):
    return np.array([1.5, 2.5]) * grown(n), [1.0, n] * np.array([2.0, 3.0])


def other_operators(n):
    values = [1.0, n]
    return np.float64(2.0) + values, values - np.float64(1.0), np.float64(3.0) / grown(n), np.add(values, 1)
