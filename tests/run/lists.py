# run: known_list(np.int64(-3))
# raises: known_list(np.int64(3)) IndexError
# raises: known_list(np.int64(-4)) IndexError
# raises: known_tuple(np.int64(2)) IndexError
# raises: item_of_one(np.int64(1)) IndexError
# run: collatz(np.int64(6))
# run: collatz(7)
# run: collatz(np.int64(1))
# run: evens(np.arange(7))
# run: evens(np.array([1, 3]))
# run: in_one_branch(np.float64(1.0))
# run: in_one_branch(np.float64(-1.0))
# run: two_names(np.int64(3))
# run: two_names(np.int64(0))
# run: stack_machine(np.int64(5))
# run: balanced(np.array([1, 1, -1, 1, -1, -1]))
# run: balanced(np.array([1, -1, 1]))
# raises: balanced(np.array([1, -1, -1])) IndexError
# run: read_and_write(np.array([3, 1, 2, 0]))
# raises: read_and_write(np.array([3, 1, 2, 9])) IndexError
# run: negative(np.int64(4))
# raises: negative(np.int64(1)) IndexError
# run: queue(np.int64(4))
# run: pops_anywhere(np.int64(1), np.int64(2))
# run: pops_anywhere(np.int64(-4), np.int64(-3))
# raises: pops_anywhere(np.int64(4), np.int64(0)) IndexError
# raises: pops_anywhere(np.int64(0), np.int64(-4)) IndexError
# raises: drained(np.int64(2)) IndexError
# run: inserts(np.int64(4))
# run: inserted_at(np.int64(1), np.int64(-1))
# run: inserted_at(np.int64(9), np.int64(-9))
# run: slices(np.int64(5), np.int64(1), np.int64(-1))
# run: slices(np.int64(2), np.int64(-9), np.int64(7))
# run: slices(np.int64(0), np.int64(1), np.int64(2))
# run: slice_writes(np.int64(5), np.int64(1), np.int64(3))
# run: slice_writes(np.int64(4), np.int64(3), np.int64(1))
# run: deletes(np.int64(5), np.int64(2))
# run: deletes(np.int64(5), np.int64(-5))
# raises: deletes(np.int64(5), np.int64(5)) IndexError
# run: searches(np.array([3, 1, 3, 2]), np.int64(3))
# raises: searches(np.array([3, 1, 3, 2]), np.int64(7)) ValueError
# run: removes(np.array([3, 1, 3, 2]), np.int64(3))
# raises: removes(np.array([3, 1, 3, 2]), np.int64(4)) ValueError
# run: contains(np.array([3, 1, 2]), np.int64(2))
# run: contains(np.array([3, 1, 2]), np.int64(5))
# run: cleared(np.array([1.0, -1.0, 2.0, 3.0]))
# run: reversed_in_place(np.int64(3))
# run: concatenated(np.int64(2))
# run: extended(np.int64(2), np.arange(3.0))
# run: repeated(np.int64(2), np.int64(3))
# run: repeated(np.int64(2), np.int64(-1))
# run: compared(np.int64(2), np.int64(2))
# run: compared(np.int64(2), np.int64(3))
# run: walks(np.int64(4))
# run: walks(np.int64(0))
# run: walks_and_writes(np.int64(4))
# run: zips(np.int64(4), np.array([1.0, 2.0]))
# run: zips(np.int64(1), np.array([1.0, 2.0]))
# run: comprehended(np.int64(4))
# run: comprehended_if(np.array([1.0, -1.0, 2.0]))
# run: reduced(np.array([1.0, -3.0, 2.0]))
# raises: reduced(np.array([-1.0, -3.0, -2.0])) ValueError
# run: defaults(np.array([-1.0]))
# run: defaults(np.array([1.0]))
# run: any_and_all(np.array([1.0, 2.0, 5.0]))
# run: truth(np.int64(3))
# run: truth(np.int64(0))
# run: stacked(np.array([1.0, 2.0]))
# run: stacked_from_some(np.array([1.0, 2.0]), np.float64(1.0))
# run: joined_rows(np.arange(6.0).reshape(3, 2))
# run: of_pairs(np.array([1.0, 2.0, -1.0]))
# run: of_arrays(np.arange(6.0).reshape(3, 2))
# run: maybe(np.array([1.0, -1.0, 2.0]))
# run: changed_by_callee(np.array([1.0, 2.0, -1.0]))
# run: in_an_object(np.int64(5))
# run: rebound_in_branches(np.float64(1.0))
# run: rebound_in_branches(np.float64(-1.0))
# run: rebound_in_a_loop(np.int64(3))
# run: rebound_in_a_loop(np.int64(0))
# run: frontier(np.array([[0, 1, 1, 0], [0, 0, 0, 1], [0, 0, 0, 1], [0, 0, 0, 0]]))
# run: early_return(np.array([1.0, 2.0, 3.0]), np.float64(2.0))
# run: early_return(np.array([1.0, 2.0, 3.0]), np.float64(9.0))
# run: sieve(np.int64(20))
# run: nested_loops(np.int64(3))
# run: known_length(np.float64(1.0))
# run: while_list(np.int64(5))
# run: swaps(np.array([3.0, 1.0, 2.0]))
# run: printed(np.int64(3))
# run: weak(np.int64(3))
# run: depth_first(np.array([[1, 2], [-1, -1], [3, -1], [-1, -1]]))
# run: raises_in_a_branch(np.int64(2))
# raises: raises_in_a_branch(np.int64(-2)) ValueError
import numpy as np


def collatz(n):
    path = []
    while n != 1:
        path.append(n)
        n = n // 2 if n % 2 == 0 else 3 * n + 1
    return path


def evens(values):
    found = []
    for value in values:
        if value % 2 == 0:
            found.append(value)
    return found, len(found)


def in_one_branch(x):
    steps = [x]
    if x > 0:
        steps.append(x * 2)
        steps.append(x * 3)
    return steps, len(steps), steps[-1]


def two_names(n):
    a = b = []
    while n > 0:
        a.append(n)
        n -= 1
    b.append(n)
    return a, len(b), a is b


def stack_machine(n):
    stack = [n]
    total = np.int64(0)
    while stack:
        top = stack.pop()
        total += top
        if top > 1:
            stack.append(top - 1)
        if top > 3:
            stack.append(top - 2)
    return total


def balanced(tokens):
    stack = []
    for token in tokens:
        if token > 0:
            stack.append(token)
        else:
            stack.pop()
    return len(stack) == 0


def read_and_write(order):
    marks = [0, 0, 0, 0]
    for place, position in enumerate(order):
        marks[position] = place
        marks[position] += 10
    return marks, marks[order[0]], len(marks)


def negative(n):
    xs = []
    while n > 0:
        xs.append(n * 1.5)
        n -= 1
    return xs[-2], xs[0]


def queue(n):
    waiting = [n]
    order = []
    while len(waiting) > 0:
        first = waiting.pop(0)
        order.append(first)
        if first > 1:
            waiting.append(first - 1)
            waiting.append(first - 2)
    return order


def pops_anywhere(i, j):
    xs = [1.0, 2.0, 3.0, 4.0]
    a = xs.pop(i)
    b = xs.pop(j)
    return a, b, xs


def drained(n):
    xs = [1.0]
    while n > 0:
        xs.pop()
        n -= 1
    return xs


def inserts(n):
    xs = []
    while n > 0:
        xs.insert(0, n)
        xs.insert(1, -n)
        n -= 1
    return xs


def inserted_at(i, j):
    xs = [1, 2, 3]
    xs.insert(i, 7)
    xs.insert(j, 8)
    return xs


def grown(n):
    xs = []
    for i in range(n):
        xs.append(i * i)
    return xs


def slices(n, low, high):
    xs = grown(n)
    return xs[low:high], xs[:2], xs[-2:], xs[::2], xs[::-1], xs[:], xs[high:low:-1]


def slice_writes(n, low, high):
    xs = grown(n)
    xs[low:high] = [70, 80, 90]
    ys = grown(n)
    ys[:1] = xs
    return xs, ys


def deletes(n, i):
    xs = grown(n)
    del xs[i]
    ys = grown(n)
    del ys[1:3]
    return xs, ys


def searches(values, wanted):
    xs = [v for v in values if v > 0]
    return xs.index(wanted), xs.count(wanted), [1, 2, 3].count(wanted)


def removes(values, wanted):
    xs = [v for v in values if v > 0]
    xs.remove(wanted)
    return xs


def contains(values, wanted):
    xs = [v for v in values if v > 0]
    return wanted in xs, wanted not in xs


def cleared(values):
    run = []
    longest = 0
    for value in values:
        if value < 0:
            run.clear()
        else:
            run.append(value)
        if len(run) > longest:
            longest = len(run)
    return run, longest


def reversed_in_place(n):
    xs = grown(n)
    xs.reverse()
    return xs, list(reversed(xs))


def concatenated(n):
    xs = grown(n)
    ys = xs + [5]  # noqa: RUF005
    zs = [6] + xs  # noqa: RUF005
    xs += [7, 8]
    return xs, ys, zs, xs + ys


def extended(n, values):
    xs = [1.5]
    while n > 0:
        xs.extend([n * 1.0, 0.5])
        n -= 1
    xs.extend(xs)
    ys = [0.25]
    ys.extend(xs)
    ys.extend([float(v) for v in values])
    return xs, ys


def repeated(n, times):
    return grown(n) * 2, 2 * grown(n), [1, 2] * int(times)


def compared(n, m):
    xs, ys = grown(n), grown(m)
    return xs == ys, xs != ys, xs == [0, 1], [0, 1] == xs, [] == ys


def walks(n):
    xs = grown(n)
    total = 0
    for x in xs:
        total += x
    for i, x in enumerate(xs):
        total += i * x
    for x in reversed(xs):
        total = total * 2 + x
    return total


def walks_and_writes(n):
    xs = grown(n)
    for i, x in enumerate(xs):
        xs[i] = x * 10
    for i in range(len(xs)):
        xs[i] += 1
    return xs


def zips(n, values):
    total = 0.0
    for x, y in zip(grown(n), values):
        total += x * y
    for x, y in zip(grown(n), [1.5, 2.5, 3.5]):
        total += x * y
    return total


def comprehended(n):
    xs = grown(n)
    return [x * 2 for x in xs], [i + x for i, x in enumerate(xs)], list(range(n))


def comprehended_if(values):
    kept = [v for v in values if v > 0]
    return kept, [v + 1 for v in kept if v > 1], sum(v for v in kept)


def reduced(values):
    kept = [v for v in values if v > 0]
    return sum(kept), max(kept), min(kept), len(kept)


def defaults(values):
    kept = [v for v in values if v > 0]
    return max(kept, default=np.float64(-1.0)), min(kept, default=np.float64(-2.0))


def any_and_all(values):
    kept = [v for v in values if v > 1]
    return any(v > 4 for v in kept), all(v > 4 for v in kept)


def truth(n):
    xs = grown(n)
    return not xs, bool(xs), 1 if xs else 2


def stacked(x):
    rows = []
    for i in range(8):
        x = x * 0.5 + i
        rows.append(x)
    table = np.stack(rows)
    return table, np.array(rows).shape, np.sum(rows), np.stack(rows, axis=1), rows[3], len(rows)


def stacked_from_some(x, y):
    rows = [x, x * 2]
    for i in range(6):
        rows.append(x + i if y > i else x - i)
    first, *_ = rows
    return np.stack(rows), first


def joined_rows(m):
    rows = []
    for row in m:
        rows.append(row * 2)
    return np.concatenate(rows), np.array(rows)


def of_pairs(values):
    pairs = []
    for i, value in enumerate(values):
        if value > 0:
            pairs.append((i, value))
    total = 0.0
    for i, value in pairs:
        total += i * value
    return pairs, total


def of_arrays(m):
    rows = []
    for row in m:
        if row[0] > 0:
            rows.append(row)
    return rows, len(rows)


def maybe(values):
    found = []
    for value in values:
        found.append(value if value > 0 else None)
    return found


def note(log, value):
    if value > 0:
        log.append(value)
    return len(log)


def changed_by_callee(values):
    log = []
    count = 0
    for value in values:
        count = note(log, value)
    return log, count


class Stack:
    def __init__(self):
        self.items = []

    def push(self, item):
        self.items.append(item)

    def pop(self):
        return self.items.pop()

    def __len__(self):
        return len(self.items)


def in_an_object(n):
    stack = Stack()
    while n > 0:
        stack.push(n)
        if n % 2 == 0:
            stack.pop()
        n -= 1
    return stack.items, len(stack.items)


def rebound_in_branches(x):
    if x > 0:
        out = [x, x * 2]
    else:
        out = [x]
    return out, len(out)


def rebound_in_a_loop(n):
    xs = [0]
    while n > 0:
        xs = xs + [n]  # noqa: RUF005
        n -= 1
    return xs


def frontier(edges):
    seen = [True, False, False, False]
    nodes = [0]
    levels = 0
    while nodes:
        following = []
        for node in nodes:
            for other in range(4):
                if edges[node, other] > 0 and not seen[other]:
                    seen[other] = True
                    following.append(other)
        nodes = following
        levels += 1
    return levels, seen


def early_return(values, stop):
    seen = []
    for value in values:
        if value == stop:
            return seen
        seen.append(value)
    return seen


def sieve(limit):
    primes = []
    n = 2
    while n < limit:
        is_prime = True
        for p in primes:
            if n % p == 0:
                is_prime = False
                break
        if is_prime:
            primes.append(n)
        n += 1
    return primes


def nested_loops(n):
    sums = []
    for i in range(n):
        row = []
        for j in range(i + 1):
            row.append(i * j)
        sums.append(sum(row))
    return sums


def known_length(x):
    xs = []
    for i in range(6):
        xs.append(x * i)
    a, b, c, d, e, f = xs
    return a + f, b, c, d, e, xs[2], xs[-1], [v + 1 for v in xs], tuple(xs)


def while_list(n):
    todo = [n]
    while todo:
        n = todo.pop()
        if n > 2:
            todo.append(n - 2)
    return n, todo


def swaps(values):
    xs = [float(v) for v in values]
    for i in range(3):
        for j in range(2):
            if xs[j] > xs[j + 1]:
                xs[j], xs[j + 1] = xs[j + 1], xs[j]
    return xs


def printed(n):
    xs = grown(n)
    print(xs, f"{xs}", len(xs))
    return n


def weak(n):
    xs = [0.5]
    while n > 0:
        xs.append(1.5)
        n -= 1
    return xs


def depth_first(children):
    stack, order = [0], []
    while stack:
        node = stack.pop()
        order.append(node)
        for child in children[node]:
            if child >= 0:
                stack.append(child)
    return len(order), sum(order)


def raises_in_a_branch(n):
    if n > 0:
        xs = [n]
        xs.append(n + 1)
    else:
        raise ValueError("n must be positive")
    return xs


def known_list(i):
    return [1, 2, 3][i]


def known_tuple(i):
    return (1.5, 2.5)[i]


def item_of_one(i):
    xs = [7]
    xs[i] += 1
    return xs
