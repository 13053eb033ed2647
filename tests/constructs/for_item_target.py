# group: Statements
# plain: f(3, 2)
# plain: g(3)
# staged: f(3, np.int64(2))
# staged: g(np.int64(3))
"""`for` with an item, attribute or starred target"""


class Box:
    value = 0


def f(n, x):
    seen = [x, 0]
    box = Box()
    for seen[1] in range(n):
        seen[0] += seen[1]
    for box.value in range(n):
        seen[0] += box.value
    return seen, box.value


def g(n):
    total = []
    for first, *rest in [(1, 2, 3), (4,), (5, n)]:
        total += [first, rest]
    return total
