# group: Frames and names
# plain: f(3)
# plain: f(-3)
# plain: loop(0)
# plain: loop(2)
# staged: f(np.int64(3))
# staged: f(np.int64(-3))
# staged: loop(np.int64(2))
# staged: loop(np.int64(0))
"""Names that are not bound on every path"""


def f(x):
    if x > 0:
        y = x * 2
    return y


def loop(n):
    for i in range(n):
        last = i * 2
    return last
