# group: Assignment and deletion
# plain: f(48, 18)
# staged: f(np.int64(48), np.int64(18))
# plain: places([1, 2, 3])
# staged: places(np.array([1, 2, 3]))
# plain: order(1)
# staged: order(np.int64(1))
"""Swaps: the right side is evaluated first"""


def f(a, b):
    while b:
        a, b = b, a % b
    return a, b


def places(values):
    values[0], values[2] = values[2], values[0]
    return values[0] - values[2]


def order(x):
    values = [0, 0, 0]
    i = 0
    i, values[i] = 2, x
    return i, values
