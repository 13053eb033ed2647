# group: Builtins
# plain: f(7)
# staged: f(np.int64(7))
# plain: parts(7)
# plain: zero(0)
# staged: negative(np.int64(7))
# plain: negative(7)
"""`range`"""


def f(n):
    total = 0
    for i in range(0, n, 2):
        total = total * 3 + i
    return total


def negative(n):
    total = 0
    for i in range(n, -n, -3):
        total = total * 3 + i
    return total


def parts(n):
    numbers = range(n)
    return len(numbers), numbers[2], numbers.stop, 3 in numbers


def zero(step):
    return list(range(0, 10, step))
