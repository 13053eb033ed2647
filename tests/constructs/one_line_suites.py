# group: Statements
# plain: f(4)
# staged: f(np.int64(4))
"""Several statements on a line, and lines joined by backslashes"""


def f(x):
    y = 0; z = 1
    if x > 2: y = 1; z = 2
    else: y = 5
    while y < x: y += 1; z *= 2
    for i in range(3): y += i; z -= \
        i
    return y, \
        z
