# group: Functions
# plain: f(3)
# staged: f(np.int64(3))
# plain: counter(4)
# plain: in_loop(4)
# staged: in_loop(np.int64(4))
"""`nonlocal`"""


def f(x):
    total = 0

    def add(value):
        nonlocal total
        if value > 2:
            total += value
        else:
            total -= value

    add(x)
    add(x + 1)
    add(1)
    return total


def counter(n):
    count = 0

    def step():
        nonlocal count
        count += 1
        return count

    return [step() for _ in range(n)], count


def in_loop(n):
    total = 0

    def add(value):
        nonlocal total
        total = total * 2 + value

    for i in range(n):
        add(i)
    return total
