# group: Expressions
# plain: f(5)
# staged: largest(np.int64(5))
# plain: largest(5)
# plain: lazily(5)
# staged: f(np.int64(5))
# plain: early_names()
"""Generator expressions"""


def f(x):
    total = sum(i * x for i in range(4) if i != 2)
    return total, list(a + b for a in range(2) for b in [x])


def largest(x):
    return max((x - i for i in range(3)))


def lazily(n):
    seen = []

    def note(value):
        seen.append(value)
        return value

    numbers = (note(i) for i in range(n))
    first = next(numbers)
    return first, seen, any(i > 2 for i in numbers), seen


def early_names():
    factor = 1
    numbers = (i * factor for i in range(3))
    factor = 10
    return list(numbers)
