# group: Expressions
# plain: f(17, 5)
# plain: f(-17, 5)
# plain: f(2.5, -0.75)
# staged: f(np.int64(17), np.int64(5))
# staged: f(np.int64(-17), np.int64(5))
# staged: f(np.float64(2.5), np.float64(-0.75))
# plain: zero(5, 0)
# plain: count(5)
# staged: count(np.int64(5))
# staged: zero(np.int64(5), np.int64(0))
"""Arithmetic operators"""


def f(a, b):
    return a + b, a - b, a * b, a / b, a // b, a % b, -a, +b, a**2


def zero(a, b):
    return a // b


def count(n):
    a = 3
    for i in range(n):
        a = -a * 7 // 2 % 11 + i
    return a, a / 2, -a, +a, a**2, ~a
