# group: Assignment and deletion
# plain: f(3)
# staged: f(np.int64(3))
# plain: order(3)
"""Chained assignment, left to right"""


def f(x):
    a = b = c = x + 1
    values = [0, 0]
    i = values[i] = 1
    b += 1
    return a, b, c, values


def order(x):
    seen = []

    def note(value):
        seen.append(value)
        return value

    values = {}
    values[note("a")] = values[note("b")] = note(x)
    return seen, values
