# group: Builtins
# plain: f(7)
# staged: f(np.int64(7))
# plain: parts(7)
# staged: item(np.int64(7))
# refused: attribute(np.int64(7)) AG120 where a range is more than what a loop walks
# refused: equal(np.int64(7)) AG120 where a range is more than what a loop walks
# plain: item(7)
# plain: attribute(7)
# plain: equal(7)
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


def item(n):
    return range(n)[-1]


def attribute(n):
    return range(n).stop


def equal(n):
    return range(n) == range(n)
