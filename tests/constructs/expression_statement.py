# group: Statements
# plain: f(4, [])
# plain: g(0)
# staged: h(np.int64(4))
"""Expression statements: their effects and errors"""


def f(x, seen):
    """Not a statement."""
    seen.append(x)
    x + 1
    [seen.append(i) for i in range(2)]
    ...
    "a string"
    return seen


def g(x):
    1 // x
    return x


def h(x):
    x + 1
    print("x is", x)
    return x
