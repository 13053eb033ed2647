# group: Statements
# plain: f([4, 5, 6])
# plain: g([4, 5, 6], [7, 8, 9, 10])
# staged: f(np.array([4, 5, 6]))
# staged: g(np.array([4, 5, 6]), np.array([7, 8, 9]))
"""`for` over `enumerate` and `zip`, with targets unpacked"""


def f(values):
    total = 0
    for i, value in enumerate(values):
        if value % 2 == 0:
            total += i * value
    return total


def g(left, right):
    total = 0
    for i, (a, b) in enumerate(zip(left, right), 1):
        total = total * 2 + a * b - i
    return total
