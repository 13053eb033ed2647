# group: Functions
# plain: f(3)
# plain: outer(3)
# staged: outer(np.int64(3))
"""Default values: evaluated once, when the function is defined"""

made = []


def f(x, seen=made):
    seen.append(x)
    return seen, made


def outer(x):
    calls = []

    def default(value):
        calls.append("evaluated")
        return value

    def inner(a, b=default(x), *, c=default(2)):
        return a + b * c

    return inner(1), inner(1, 2), inner(1, c=3), calls
