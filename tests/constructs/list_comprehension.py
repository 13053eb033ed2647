# group: Expressions
# plain: f(4)
# staged: over_plain(np.int64(4))
# plain: over_plain(4)
# staged: over_array(np.array([1.0, -2.0, 3.0]))
# staged: chosen(np.array([1.0, -2.0, 3.0]))
# plain: chosen(np.array([1.0, -2.0, 3.0]))
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
