# run: split(np.array([True, False]), np.bool_(True))
# raises: split(np.array([True, False]), np.bool_(False)) TypeError
# run: one_or_the_other(np.arange(4.0), np.bool_(True))
# run: one_or_the_other(np.arange(4.0), np.bool_(False))
# run: edges(np.array([1.0, 3.0]), np.bool_(True))
# raises: edges(np.array([1.0, 3.0]), np.bool_(False)) TypeError
# run: changed(np.arange(6.0), np.int64(3))
# run: trimmed(np.int64(4))
# run: trimmed(np.int64(0))
import numpy as np


def split(x, is_array):
    v = True
    if is_array:
        v = x
    return np.array_split(v, 2)


def one_or_the_other(x, is_first):
    if is_first:
        parts = np.split(x, 2)
    else:
        parts = np.split(x + 1, 2)
    return parts


def edges(x, is_array):
    v = 2.0
    if is_array:
        v = x
    return np.histogramdd(v)


def changed(x, n):
    parts = np.split(x, 3)
    parts.append(x[:2])
    parts[0] = x[4:]
    total = parts[0]
    for i in range(n):
        total = total + parts[i]
    return total, parts, len(parts)


def trimmed(n):
    items = [0]
    for i in range(n):
        items.append(i)
    items.append(0)
    kept = np.trim_zeros(items)
    kept.append(5)
    return kept, items
