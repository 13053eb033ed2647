# group: Expressions
# plain: f(12, 5)
# staged: f(np.int64(12), np.int64(5))
# plain: logical(True, False)
# staged: logical(np.bool_(True), np.bool_(False))
"""Bitwise operators"""


def f(a, b):
    return a & b, a | b, a ^ b, ~a, a << b, a >> 1


def logical(a, b):
    return a & b, a | b, a ^ b
