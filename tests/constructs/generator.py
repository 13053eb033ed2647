# group: Functions
# plain: f(4)
# stays: squares AG010
# staged: f(np.int64(4))
"""Generators"""


def squares(n):
    for i in range(n):
        yield i * i


def f(n):
    total = 0
    for square in squares(4):
        total += square * n
    return total
