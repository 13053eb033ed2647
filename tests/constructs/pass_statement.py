# group: Statements
# plain: f(3)
# staged: f(np.int64(3))
"""`pass`"""


def f(x):
    if x > 0:
        pass
    else:
        x = -x
    for _ in range(x):
        pass
    return x
