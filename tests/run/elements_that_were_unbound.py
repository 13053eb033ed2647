# run: numbers(2, -1j, np.bool_(True), np.int64(0), np.int64(1))
# run: numbers(2, -1j, np.bool_(False), np.int64(1), np.int64(2))
# run: one_type(2.0, 3.5, np.bool_(True), np.int64(0), np.int64(1))
# run: one_type(2.0, 3.5, np.bool_(False), np.int64(1), np.int64(2))
# run: absent(2, np.bool_(True), np.int64(1))
# run: absent(2, np.bool_(False), np.int64(0))
# run: arrays(np.array([1.0, 2.0]), np.bool_(True), np.int64(1))
# run: arrays(np.array([1.0, 2.0]), np.bool_(False), np.int64(1))
# run: grown(2.0, 3.5, np.bool_(False), np.int64(3))
"""What may have been unbound is an element of a list, and other results follow the list."""

import numpy as np


def numbers(x, y, c, k, n):
    if c:
        v = x
    elif n > 0:
        v = y
    w = v
    for _ in range(n):
        w, v = v, w
    r = [k, 2.0]
    r[k] = w
    return r, w


def one_type(x, y, c, k, n):
    if c:
        v = x
    elif n > 0:
        v = y
    r = [1.0, 2.0]
    r[k] = v
    s = [v, x]
    s[k] = y
    return r, v, s, x * v


def absent(x, c, k):
    if c:
        v = None
    elif k >= 0:
        v = x
    r = [x, None]
    r[k] = v
    return r, v, x


def arrays(x, c, k):
    if c:
        v = x
    elif k >= 0:
        v = x * 2.0
    r = [x, x + 1.0]
    r[k] = v
    return np.stack(r), r, v


def grown(x, y, c, n):
    if c:
        v = x
    elif n > 0:
        v = y
    r = []
    for i in range(n):
        r.append(v * i)
        v = r[-1] + x
    return r, v, np.array(r)
