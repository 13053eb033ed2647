# group: Statements
# plain: f(27)
# plain: f(0)
# staged: f(np.int64(27))
# staged: f(np.int64(0))
"""`while`"""


def f(n):
    steps = 0
    while n > 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return n, steps
