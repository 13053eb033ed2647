# group: Expressions
# plain: f(4)
# staged: over_plain(np.int64(4))
# plain: over_plain(4)
# staged: over_array(np.array([1.0, -2.0, 3.0]))
# staged: chosen(np.array([1.0, -2.0, 3.0]))
# plain: chosen(np.array([1.0, -2.0, 3.0]))
# staged: table(np.array([1.0, 2.0]), np.array([3.0, -4.0, 0.5]))
# staged: below(np.int64(5))
# plain: below(5)
# staged: rows(np.arange(6.0).reshape(2, 3))
# plain: order(3)
"""List comprehensions: nested, with conditions"""


def f(n):
    i = "outside"
    flat = [i * j for i in range(n) if i % 2 for j in range(i) if j]
    nested = [[j for j in range(i)] for i in range(n)]
    pairs = [a + b for a, (b, *_) in [(1, (2, 3)), (4, (5,))]]
    return flat, nested, pairs, i


def over_plain(x):
    scale = x * 2
    return [scale + i if i > 1 else -i for i in range(4) if i != 2]


def over_array(values):
    return [value * 2 for value in values]


def chosen(values):
    return [value * 2 for value in values if value > 0]


def table(x, y):
    return [a * b for a in x for b in y if a + b > 0]


def below(n):
    return [i * j for i in range(n) if i % 2 if i > 1 for j in range(i) if j]


def rows(x):
    return [[value * 2 for value in row] for row in x]


def order(n):
    seen = []

    def note(value):
        seen.append(value)
        return value

    return [note(i) + note(j) for i in range(note(n)) if note(i) for j in range(note(i))], seen
