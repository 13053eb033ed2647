# group: Builtins
# plain: f([3, 4, 5])
# staged: f(np.array([3, 4, 5]))
# plain: ended([])
# plain: default([])
# plain: sentinel([1, 2, 0, 3])
# staged: values([np.int64(3), 4])
# plain: values([3, 4])
"""`iter`, `next`"""


def f(values):
    numbers = iter(values)
    total = next(numbers) * 100
    for value in numbers:
        total += value
    return total


def ended(values):
    return next(iter(values))


def default(values):
    return next(iter(values), "nothing")


def sentinel(values):
    numbers = iter(values)
    return list(iter(lambda: next(numbers), 0)), list(numbers)


def values(x):
    numbers = iter(x)
    return next(numbers), next(numbers), next(numbers, None)
