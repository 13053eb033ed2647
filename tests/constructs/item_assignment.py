# group: Assignment and deletion
# plain: f(3)
# staged: f(np.int64(3))
# plain: array(np.zeros((3, 4)), 2)
# staged: array(np.zeros((3, 4)), np.int64(2))
# plain: outside(np.zeros(3), 5)
# staged: outside(np.zeros(3), np.int64(5))
# plain: in_branch({"a": 1}, 3)
# staged: in_branch({"a": 1}, np.int64(3))
"""Assignment to items and slices"""


def f(x):
    values = [1, 2, 3, 4]
    values[0] = x
    values[1:3] = [x, x + 1, 7]
    table = {}
    table["a", 1] = x
    return values, table["a", 1]


def array(x, i):
    x[i, 1] = 5.0
    x[0] = 7.0
    x[:, 3] = i
    x[1, ::2] = [1.0, 2.0]
    return x.sum()


def outside(x, i):
    x[i] = 1.0
    return x


def in_branch(table, x):
    if x > 0:
        table["a"] = 2
    return x
