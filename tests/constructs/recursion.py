# group: Functions
# plain: f(10)
# staged: f(np.int64(10))
# plain: inner(6)
# staged: inner(np.int64(6))
# plain: mutual(7)
# staged: mutual(np.int64(7))
# refused: grows(np.int64(1), ()) AG138 where each call has arguments of another kind
# plain: endless(1)
# staged: unrolled(np.float64(1.0), 4)
# plain: unrolled(1.0, 4)
"""Recursion"""


def f(n):
    if n < 2:
        return n
    return f(n - 1) + f(n - 2)


def inner(n):
    def factorial(k):
        return 1 if k < 2 else k * factorial(k - 1)

    return factorial(n)


def mutual(n):
    def even(k):
        return True if k == 0 else odd(k - 1)

    def odd(k):
        return False if k == 0 else even(k - 1)

    return even(n)


def endless(n):
    try:
        return endless(n + 1)
    except RecursionError:
        return "too deep"


def unrolled(x, depth):
    if depth == 0:
        return x
    return unrolled(x * 2, depth - 1) + depth


def grows(n, numbers):
    return 0 if n > 9 else grows(n + 1, (*numbers, n))
