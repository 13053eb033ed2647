# run: called(3, -0.0, np.bool_(False), np.int64(1))
# run: called(3, -0.0, np.bool_(False), np.int64(95))
# run: branches(np.bool_(False), np.bool_(False))
# run: branches(np.bool_(False), np.bool_(True))
# run: called(3, -0.0, np.bool_(True), np.int64(1))
# run: called(3, -0.0, np.bool_(True), np.int64(95))
# run: branches(np.bool_(True), np.bool_(False))
# run: branches(np.bool_(True), np.bool_(True))
# run: rounded(np.bool_(False), np.bool_(False))
# run: rounded(np.bool_(False), np.bool_(True))
# run: rounded(np.bool_(True), np.bool_(False))
# run: rounded(np.bool_(True), np.bool_(True))
# run: converted(np.array([3.0, 1.0, 2.0]))
# run: converted(np.array([3.0, 2.5, 2.0]))
# run: converted_int(np.array([3.5, 1.0, 2.0]))
# run: converted_int(np.array([3.5, 2.5, 2.0]))
# run: in_an_array(np.array([3.0, 1.0, 2.0]))
# run: in_an_array(np.array([3.0, 2.5, 2.0]))
"""`isinstance` and `round` of what may be None, and else a number of one type or of another."""

import numpy as np


def walk(x, y, n):
    if n <= 0:
        return x
    if n > 90:
        return y
    return walk(x, y, n - 1)


def asked(v):
    return (
        isinstance(v, int),
        isinstance(v, float),
        isinstance(v, (int, type(None))),
        isinstance(v, (float, type(None))),
        isinstance(v, (int, float)),
        isinstance(v, str),
        1 if isinstance(v, int) else 2,
    )


def called(x, y, c, n):
    v = None
    if c:
        v = walk(x, y, n)
    return asked(v)


def branches(c, d):
    w = 1
    if d:
        w = 2.5
    v = None
    if c:
        v = w
    return asked(v)


def rounded(c, d):
    w = 1
    if d:
        w = 2.54
    v = None
    if c:
        v = w
    return (0, 0) if v is None else (round(v, 1), round(v))


def converted(x):
    best = x[0] if x[1] > 2 else None
    if best is None:
        best = 0.0
    return float(best), int(best), abs(best), round(best), bool(best), max(best, 1.0), str(complex(best))


def converted_int(x):
    best = int(x[0]) if x[1] > 2 else None
    found = 0.5 if best is None else best
    return float(found), int(found), divmod(found, 2), str(found)


def in_an_array(x):
    best = x[0] if x[1] > 2 else None
    one = np.float64(0.0) if best is None else best
    return np.array([one, 1.0]), np.array([[one], [2.0]]), np.stack([one, one])
