# run: in_a_dict(np.int64(3))
# run: in_a_tuple(np.int64(3))
# run: through_a_closure(np.int64(3))
# run: of_a_dataclass(np.int64(3))
# run: of_named_tuples(np.int64(3))
# run: none_at_first(np.int64(1))
# run: best_so_far(np.int64(5))
# run: best_so_far(np.int64(1))
# run: copied(np.int64(3))
# run: sorted_in_place(np.int64(2))
# run: emptied(np.int64(3))
# run: added_to_itself(np.int64(2))
# run: in_a_list(np.int64(1))
# run: in_a_list(np.int64(-1))
# run: a_lambda_appends(np.int64(1))
# run: two_results(np.int64(3))
# run: taken_until(np.int64(2))
# run: taken_until(np.int64(9))
# run: returned_from_a_loop(np.int64(3))
# run: returned_beside_a_number(np.int64(3))
# run: bound_in_a_loop(np.int64(3))
# raises: bound_in_a_loop(np.int64(0)) UnboundLocalError
# run: bound_in_a_branch(np.int64(3))
# raises: bound_in_a_branch(np.int64(2)) UnboundLocalError
# run: shown(np.int64(2))
# raises: shown(np.int64(5)) ValueError
# run: generations(np.int64(4))
# run: generations(np.int64(0))
# run: with_a_start(np.int64(3))
# run: seen_as_a_list(np.int64(2))
# run: tests_of_lists(np.int64(3), np.int64(1))
# run: tests_of_lists(np.int64(0), np.int64(1))
# run: tests_of_lists(np.int64(1), np.int64(-1))
# run: repeated_zeros(np.int64(4))
# run: a_slice_and_a_tuple(np.float64(2.0))
# run: raised_in_a_branch(np.int64(3))
# run: popped_in_both(np.int64(2))
# run: kept_by_two_branches(np.array([1.0, -2.0, 3.0]))
import copy
from dataclasses import dataclass, field
from typing import NamedTuple


class Pair(NamedTuple):
    first: float
    second: float


@dataclass
class Bag:
    items: list = field(default_factory=list)
    size: int = 0


def grown(n):
    xs = []
    for i in range(n):
        xs.append(i * i)
    return xs


def in_a_dict(n):
    table = {"seen": [], "count": 0}
    while n > 0:
        table["seen"].append(n)
        table["count"] += 1
        n -= 1
    return table


def in_a_tuple(n):
    state = ([], 1)
    while n > 0:
        state[0].append(n)
        n -= 1
    return state


def through_a_closure(n):
    xs = []

    def add(value):
        xs.append(value)
        return len(xs)

    while n > 0:
        n -= add(n)
    return xs


def of_a_dataclass(n):
    bag = Bag()
    while n > 0:
        bag.items.append(n)
        bag.size = len(bag.items)
        n -= 1
    return bag.items, bag.size


def of_named_tuples(n):
    pairs = []
    while n > 0:
        pairs.append(Pair(n * 1.5, 2.0))
        n -= 1
    return [pair.first for pair in pairs], pairs[0].first, pairs[-1].second


def none_at_first(n):
    xs = [None] * 3
    i = n
    while i < 3:
        xs[i] = i * 1.5
        i += 1
    return xs


def best_so_far(n):
    best, path = None, []
    while n > 0:
        path.append(n)
        if n % 2 == 0:
            best = list(path)
        n -= 1
    return best, path


def copied(n):
    xs = grown(n)
    ys, zs = xs.copy(), copy.copy(xs)
    ys.append(9)
    zs.append(3)
    return xs, ys, zs, copy.deepcopy(xs[:1])


def sorted_in_place(n):
    xs, ys = [n, -n, n * 2], [n, 3, 1]
    xs.sort()
    ys.sort(reverse=True)
    return xs, ys


def emptied(n):
    xs, ys, zs = grown(n), grown(n), grown(n)
    del xs[:]
    ys[:] = []
    zs[:] = [5]
    return xs, ys, zs, len(zs)


def added_to_itself(n):
    xs = [n, n]
    xs += (3, 4)
    xs += range(2)
    if n > 0:
        xs += (5,)
    xs += xs
    return xs


def in_a_list(n):
    xs = [n]
    rows = [xs, xs]
    if n > 0:
        xs.append(n + 1)
    return rows[1][-1], len(rows[0])


def a_lambda_appends(n):
    xs = [n]
    add = lambda: xs.append(1)  # noqa: E731
    if n > 0:
        add()
    return xs[0], len(xs)


def extended(acc, k):
    if k > 0:
        acc.append(k)
    return acc


def two_results(n):
    a = []
    b = extended(a, n)
    b.append(-n)
    return a, b, a is b


def taken_until(n):
    xs, ys = list(range(5)), []
    while xs:
        ys.append(xs.pop())
        if ys[-1] == n:
            break
    return xs, ys


def returned_from_a_loop(n):
    out = []
    while True:
        if n <= 0:
            return out
        out.append(n)
        n -= 1


def returned_beside_a_number(n):
    out = []
    while True:
        if n <= 0:
            return out, n
        out.append(n)
        n -= 1


def bound_in_a_loop(n):
    for i in range(n):
        row = [i, i + 1]
    return row


def bound_in_a_branch(n):
    if n > 2:
        row = [n]
        for i in range(n):
            row.append(i)
    return row


def shown(n):
    xs = grown(n)
    print(xs, str(xs), repr(xs), f"{xs!r:>20}")
    assert len(xs) < 100, xs
    if len(xs) > 3:
        raise ValueError("too many", xs)
    return 1


def generations(n):
    current, previous = [0], []
    while n > 0:
        previous = current
        current = [v + 1 for v in current] + [n]
        n -= 1
    return previous, current


def with_a_start(n):
    xs = grown(n)
    return sum(xs, start=3), max(xs, key=lambda v: -v, default=0), all(xs), any(v == 4 for v in xs)


def seen_as_a_list(n):
    xs = grown(n)
    return type(xs) is list, isinstance(xs, list), type(xs).__name__, hasattr(xs, "append"), bool(xs[5:])


def tests_of_lists(n, limit):
    xs = grown(n)
    count = 0
    while xs and xs[-1] >= limit:
        xs.pop()
        count += 1
    if not xs or limit < 0:
        count += 10
    if limit > 0 and xs:
        count += 100
    if xs or limit > 5:
        count += 1000
    return count, xs


def repeated_zeros(n):
    xs = [0] * n
    for i in range(n):
        xs[i] = i
    return xs


def a_slice_and_a_tuple(x):
    xs = []
    for i in range(6):
        xs.append(x * i)
    first, *rest = xs
    return first, rest, tuple(xs[1:3]), xs[::-1], xs[-2:]


def raised_in_a_branch(n):
    stack = [n]
    if n > 5:
        stack.append(n)
        stack.pop()
        stack.pop()
        stack.pop()
    stack.append(1)
    return stack


def popped_in_both(n):
    stack = [1, 2, 3]
    if n > 2:
        last = stack.pop()
    else:
        last = stack.pop(0)
        stack.pop()
    return stack, last


def kept_by_two_branches(values):
    small, large = [], []
    for value in values:
        if value < 0:
            small.append(value)
        else:
            large.append(value)
    return small, large
