# group: Expressions
# plain: f(4)
# staged: table(np.int64(4))
# plain: table(4)
# plain: order(3)
# staged: sets(np.int64(4))
# plain: sets(4)
"""Set and dict comprehensions"""


def f(n):
    return sorted({i % 3 for i in range(n)}), {i: i * i for i in range(n) if i != 1}


def table(x):
    return {name: x + i for i, name in enumerate("abc") if name != "b"}


def order(x):
    seen = []

    def note(value):
        seen.append(value)
        return value

    made = {note(i): note(-i) for i in range(x)}
    return made, seen


def sets(x):
    return sorted({x, x + 1})
