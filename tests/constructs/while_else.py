# group: Statements
# plain: f(5, 3)
# plain: f(5, 9)
# plain: f(0, 0)
# staged: f(np.int64(5), np.int64(3))
# staged: f(np.int64(5), np.int64(9))
# staged: f(np.int64(0), np.int64(0))
"""`while` … `else`"""


def f(n, stop):
    i = 0
    found = 0
    while i < n:
        if i == stop:
            found = 1
            break
        i += 1
    else:
        found = -1
    return i, found
