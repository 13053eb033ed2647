# run: largest(np.array([1.0, 5.0, 2.0]))
# run: largest(np.zeros(0))
# run: first_above(np.array([1.0, 5.0, 2.0]), np.float64(3.0))
# run: first_above(np.array([1.0, 5.0, 2.0]), np.float64(9.0))
# run: no_result(np.float64(1.0))
# run: no_result(np.float64(-1.0))
# run: best_pair(np.array([3.0, 1.0, 2.0]))
# run: best_pair(np.zeros(0))
# run: in_a_callee(np.array([1.0, -5.0, 2.0]))
# run: in_a_callee(np.array([1.0, 5.0, 2.0]))
# run: defaults(np.float64(2.0))
# run: defaults(np.float64(0.0))
# run: defaults(np.float64(-2.0))
# run: truths(np.float64(2.0))
# run: truths(np.float64(0.0))
# run: truths(np.float64(-2.0))
# run: compared(np.float64(2.0))
# run: compared(np.float64(-2.0))
# run: asked_for_its_class(np.float64(2.0))
# run: asked_for_its_class(np.float64(-2.0))
# run: previous(np.array([1.0, 4.0, 9.0]))
# run: printed(np.array([1.0, -4.0, 9.0]))
# run: attribute(np.array([1.0, 4.0, 9.0]))
# run: arrays(np.ones((3, 2)), np.int64(1))
# run: arrays(np.ones((3, 2)), np.int64(5))
# run: cleared(np.int64(5))
# run: cleared(np.int64(6))
# run: unbound(np.float64(1.0))
# run: unbound(np.float64(-1.0))
# raises: unbound(np.float64(-9.0)) UnboundLocalError
# raises: added(np.float64(-1.0)) TypeError
# run: added(np.float64(1.0))
# run: array_in_place(np.int64(1))
# run: array_in_place(np.int64(-1))
# run: added_in_place(np.float64(1.0))
# raises: added_in_place(np.float64(-1.0)) TypeError
# raises: ordered(np.float64(-1.0)) TypeError
# raises: negated(np.float64(-1.0)) TypeError
# raises: indexed(np.float64(-1.0)) TypeError
# raises: asked(np.float64(-1.0)) AttributeError
# raises: numpy_function(np.float64(-1.0)) TypeError
# raises: both_none(np.float64(-1.0)) TypeError
# raises: unpacked(np.float64(-1.0)) TypeError
# run: unpacked(np.float64(1.0))
# run: cached(np.array([2, 0, 2, 1, 0]))
import numpy as np


def largest(values):
    best = None
    for value in values:
        if best is None or value > best:
            best = value
    return best


def first_above(values, limit):
    for value in values:
        if value > limit:
            return value


def no_result(x):
    if x > 0:
        return x * 2


def best_pair(values):
    best = None
    for i, value in enumerate(values):
        if best is None or value < best[1]:
            best = (i, value)
    if best is not None:
        where, least = best
        return where, least
    return None


def find(values, test):
    for value in values:
        if test(value):
            return value
    return None


def in_a_callee(values):
    found = find(values, lambda value: value < 0)
    if found is None:
        return np.float64(0.0)
    return found * 10


def maybe(x):
    return x if x >= 0 else None


def defaults(x):
    value = maybe(x)
    one = value or np.float64(5.0)
    other = value if value is not None else np.float64(7.0)
    return one + 0, other + 0, value is None


def truths(x):
    value = maybe(x)
    answers = bool(value), not value, bool(value and value > 1)
    if value:
        return answers, 1
    return answers, 2


def compared(x):
    value = maybe(x)
    other = maybe(-x)
    answers = value == 2, value != 2, value == None, value != None, value == other, other == value  # noqa: E711
    return [bool(answer) for answer in answers]


def asked_for_its_class(x):
    value = maybe(x)
    return (
        isinstance(value, np.floating),
        isinstance(value, type(None)),
        isinstance(value, (float, type(None))),
        isinstance(value, str),
    )


def previous(values):
    last = None
    total = 0.0
    for value in values:
        if last is not None:
            total += value - last
        last = value
    return total, last


def printed(values):
    worst = None
    for value in values:
        if value < 0:
            worst = value
        print("worst", worst, f"{worst}", (worst, 1))
    return worst


class Search:
    def __init__(self):
        self.best = None

    def see(self, value):
        if self.best is None:
            self.best = value
        elif value > self.best:
            self.best = value


def attribute(values):
    search = Search()
    for value in values:
        search.see(value)
    return search.best


def arrays(x, n):
    row = None
    for i in range(3):
        if i == n:
            row = x[i] * 2
    return row, row is None


def cleared(n):
    memory = None
    for i in range(n):
        memory = i if memory is None else None
    return memory


def unbound(x):
    if x > 0:
        y = x
    elif x > -5:
        y = None
    return y


def added(x):
    y = maybe(x)
    return 1.0 + y


def ordered(x):
    y = maybe(x)
    return y < 2


def negated(x):
    return -maybe(x)


def indexed(x):
    y = np.ones(2) * x if x > 0 else None
    return y[0]


def asked(x):
    y = np.ones(2) * x if x > 0 else None
    return y.sum()


def numpy_function(x):
    return np.sin(maybe(x))


def both_none(x):
    return maybe(x) - maybe(x)


def unpacked(x):
    pair = (x, x * 2) if x > 0 else None
    a, b = pair
    return a + b


def cached(indices):
    cache = [None, None, None]
    hits = 0
    for i in range(3):
        for index in indices:
            if index == i:
                if cache[i] is None:
                    cache[i] = index * 10
                else:
                    hits += 1
    return cache, hits


def added_in_place(x):
    y = int(x) if x > 0 else None
    y += 1
    return y


def array_in_place(c):
    best = None
    if c > 0:
        best = np.zeros(2)
    keep = best
    if best is not None:
        best += 1
        best[1] = 5
    return keep, best
