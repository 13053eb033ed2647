# group: Functions
# plain: f(4)
# staged: f(np.int64(4))
# plain: lazily(3)
"""Generators inside a converted function"""


def f(x):
    def numbers():
        yield x
        for i in range(3):
            yield x * i
        yield from (7, x)

    total = 0
    for number in numbers():
        total = total * 2 + number
    return total


def lazily(n):
    seen = []

    def numbers():
        for i in range(n):
            seen.append(i)
            yield i

    for number in numbers():
        if number == 1:
            break
    return seen
