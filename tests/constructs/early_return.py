# group: Statements
# plain: f(3)
# plain: f(-3)
# plain: f(0)
# plain: nothing(3)
# plain: loop(7, 3)
# plain: loop(7, 70)
# staged: f(np.int64(3))
# staged: f(np.int64(-3))
# staged: f(np.int64(0))
# staged: loop(np.int64(7), np.int64(3))
# staged: loop(np.int64(7), np.int64(70))
# staged: nothing(np.int64(3))
# staged: nothing(np.int64(7))
"""`return` in branches and loops"""


def f(x):
    if x > 0:
        return x * 2
    if x < 0:
        return -x
    return x + 5


def nothing(x):
    if x > 5:
        return x


def loop(n, stop):
    for i in range(n):
        for j in range(i):
            if i * j > stop:
                return i * 100 + j
    return -1
