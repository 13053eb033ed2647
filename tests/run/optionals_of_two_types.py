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
"""`isinstance` and `round` of what may be None, and else a number of one type or of another."""


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
