# group: Frames and names
# plain: f(3)
# staged: f(np.int64(3))
# plain: unbound(3)
"""Names of builtins that the program has itself"""


def f(x):
    def range(n):
        return [n, n + 1]

    len = lambda values: 100
    locals = lambda: {"a": 1}
    total = 0
    for i in range(x):
        total += i
    return total, len([]), locals(), max(1, 2)


def max(a, b):
    return "my own"


def unbound(x):
    print(x)
    y = abs(x)
    abs = 3
    return y
