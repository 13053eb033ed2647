# group: Expressions
# plain: f(12, 5)
# staged: f(np.int64(12), np.int64(5))
# staged: f(np.float64("nan"), np.float64(5))
# staged: f(np.arange(3), np.ones(3))
# plain: f(np.arange(3), np.ones(3))
# plain: f((1, 2), (1, 3))
# plain: unordered(1, "a")
# plain: truth(np.arange(3))
# refused: truth(np.arange(3)) AG106 where the test is an array of several elements
"""Comparisons"""


def f(a, b):
    return a < b, a <= b, a == b, a != b, a >= b, a > b


def unordered(a, b):
    return a < b


def truth(a):
    if a > 1:
        return 1
    return 0
