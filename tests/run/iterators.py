# run: first_two(np.arange(5.0)) == (0.0, 1.0, 9.0)
# run: with_default(np.arange(2.0)) == 101.0
# run: take_while(np.array([1.0, 2.0, -1.0, 5.0]))
# run: take_while(np.array([-1.0, 2.0, -1.0, 5.0]))
# run: in_a_staged_loop(np.arange(8.0), np.int64(3))
# raises: empty(np.arange(1.0)) StopIteration
# run: unpacked(np.arange(3.0))
"""`iter` and `next` over staged arrays."""


def first_two(xs):
    it = iter(xs)
    first = next(it)
    second = next(it)
    rest = 0.0
    for v in it:
        rest += v
    return first, second, rest


def with_default(xs):
    it = iter(xs)
    total = 0.0
    for _ in range(3):
        total += next(it, 100.0)
    return total


def take_while(xs):
    it = iter(xs)
    v = next(it, -1.0)
    total = 0.0
    while v > 0:
        total += v
        v = next(it, -1.0)
    return total, v


def in_a_staged_loop(xs, n):
    it = iter(xs)
    total = 0.0
    for i in range(n):
        total += next(it) * i
    return total, next(it)


def empty(xs):
    it = iter(xs)
    next(it)
    return next(it)


def unpacked(xs):
    a, *rest = xs
    return a + len(rest), rest[1]
