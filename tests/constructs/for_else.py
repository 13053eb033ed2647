# group: Statements
# plain: f([3, 5, 8])
# plain: f([3, 5, 7])
# staged: f(np.array([3, 5, 8]))
# staged: f(np.array([3, 5, 7]))
"""`for` … `else`"""


def f(values):
    seen = 0
    for value in values:
        if value % 2 == 0:
            seen = value * 10
            break
        seen += 1
    else:
        seen = -seen
    return seen
