# group: Builtins
# plain: f([3, 4])
# staged: f(np.array([3, 4]))
# plain: numbers(5)
# staged: numbers(np.int64(5))
"""`reversed`"""


def f(values):
    total = 0
    for value in reversed(values):
        total = total * 10 + value
    return total


def numbers(n):
    total = 0
    for i in reversed(range(n)):
        total = total * 3 + i
    return total
