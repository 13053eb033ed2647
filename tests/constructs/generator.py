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
    for square in squares(n):
        if square > 4:
            break
        total += square * n
    return total
