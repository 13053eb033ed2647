# group: Statements
# plain: f(3)
# plain: f(-3)
# plain: f(0)
# staged: f(np.int64(3))
# staged: f(np.int64(-3))
# staged: f(np.int64(0))
"""`if` … `elif` … `else`"""


def f(x):
    if x > 0:
        y = x * 2
    elif x < 0:
        y = -x
    else:
        y = x + 100
    return y
