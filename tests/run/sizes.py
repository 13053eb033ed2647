# run: masked(np.array([1.0, -2.0, 3.0]))
# run: masked(np.array([-1.0, -2.0]))
# run: masked(np.zeros(0))
# run: sums(np.array([1.0, -2.0, 3.0]))
# run: sums(np.array([-1.0]))
# raises: largest(np.array([-1.0, -2.0])) ValueError
# run: largest(np.array([1.0, 2.0]))
# run: head(np.arange(5.0), np.int64(2))
# run: head(np.arange(5.0), np.int64(-1))
# run: head(np.arange(5.0), np.int64(9))
# run: doubled(np.ones(1), np.int64(3))
# run: doubled(np.ones(1), np.int64(0))
# run: primes(np.int64(30))
# run: primes(np.int64(2))
# run: in_a_branch(np.arange(4.0), np.int64(1))
# run: in_a_branch(np.arange(4.0), np.int64(0))
# run: counted(np.array([3, 1, 3, 3, 0]))
# run: fibonacci(np.int64(10))
# run: fibonacci(np.int64(0))
# run: zeros(np.int64(3), np.int64(2))
# run: zeros(np.int64(0), np.int64(2))
# raises: zeros(np.int64(-1), np.int64(2)) ValueError
# run: numbers(np.int64(2), np.int64(9), np.int64(3))
# run: numbers(np.int64(9), np.int64(2), np.int64(-2))
# raises: add_of_two_sizes(np.array([1.0, -1.0, 2.0]), np.array([1.0, 2.0, 3.0])) ValueError
# run: add_of_two_sizes(np.array([1.0, -1.0, 2.0]), np.array([-1.0, 2.0, 3.0]))
# run: add_of_two_sizes(np.array([1.0, -1.0, 2.0]), np.array([-1.0, -2.0, 3.0]))
# run: rows(np.arange(6.0).reshape(3, 2), np.array([True, False, True]))
# run: rows(np.arange(6.0).reshape(3, 2), np.array([False, False, False]))
# run: pixels(np.arange(6.0).reshape(3, 2))
# run: columns(np.arange(6.0).reshape(2, 3))
# run: least_squares(np.arange(12.0).reshape(6, 2), np.array([1.0, -1.0, 2.0, 0.5, -3.0, 1.0]))
# run: walked(np.array([3.0, -1.0, 2.0]))
# run: iterated_until_stable(np.array([5.0, 1.0, 4.0, 9.0, 2.0]))
# run: length(np.array([3.0, -1.0, 2.0]))
# run: length(np.array([-3.0]))
# run: written(np.arange(6.0), np.int64(1), np.int64(4))
# run: written(np.arange(6.0), np.int64(4), np.int64(1))
# run: mask_written(np.array([1.0, -2.0, 3.0, -4.0]))
# run: mask_values(np.array([1.0, -2.0, 3.0, -4.0]), np.array([7.0, 8.0]))
# run: last(np.array([1.0, -2.0, 3.0]))
# raises: last(np.array([-2.0])) IndexError
# run: stepped(np.arange(9.0), np.int64(7))
# run: reshaped(np.arange(8.0), np.int64(2))
# raises: reshaped(np.arange(8.0), np.int64(3)) ValueError
# run: outer(np.array([1.0, -1.0, 2.0]))
# run: sorted_and_cumulated(np.array([3.0, -1.0, 2.0, 1.0]))
# run: merged(np.array([1, 4, 9]), np.array([2, 3, 10, 11]))
# run: of_list(np.int64(4))
# run: of_list(np.int64(0))
# run: printed(np.array([1.0, -1.0, 2.0]))
# run: sieve(np.int64(40))
# run: quicksort(np.array([3.0, 1.0, 2.0, 5.0, 4.0, 1.0]))
# run: quicksort(np.zeros(0))
# run: compacted(np.arange(20))
# run: mean_and_spread(np.array([3.0, -1.0, 2.0, 1.0]))
# run: pairs(np.array([1.0, -1.0, 2.0]), np.array([4.0, 5.0]))
# run: matrix_written(np.array([3.0, -1.0, 2.0]), np.int64(2))
# run: matrix_written(np.array([3.0, -1.0, 2.0]), np.int64(3))
# run: block_written(np.array([3.0, -1.0, 2.0]), np.int64(2))
# run: rows_written(np.array([3.0, -1.0, 2.0]), np.int64(2))
# run: best_prefix(np.array([3.0, -1.0, 2.0, -7.0]), np.int64(4))
# run: stack_of(np.array([3.0, -1.0, 2.0, 5.0]))
# run: table_of(np.int64(3))
"""Arrays whose size depends on data."""

import numpy as np


def masked(x):
    y = x[x > 0]
    return y * 2 + 1


def sums(x):
    y = x[x > 0]
    return y.sum(), len(y), y.size, y.shape, y.any()


def largest(x):
    return np.max(x[x > 0])


def head(x, n):
    return x[:n], x[n:], x[:n].sum()


def doubled(x, n):
    for _ in range(n):
        x = np.concatenate([x, x + 1])
    return x


def primes(n):
    found = np.zeros(0, np.int64)
    k = 2
    while k < n:
        if not np.any(k % found == 0):
            found = np.append(found, k)
        k += 1
    return found


def in_a_branch(x, n):
    if n > 0:
        y = x[1:]
    else:
        y = np.append(x, 9.0)
    return y * 2, y.shape[0]


def counted(x):
    return np.bincount(x), np.unique(x), np.flatnonzero(x == 3), np.nonzero(x)[0]


def fibonacci(n):
    numbers = np.array([1, 1])
    for _ in range(n):
        numbers = np.append(numbers, numbers[-1] + numbers[-2])
    return numbers


def zeros(n, m):
    x = np.zeros((n, m))
    return x + 1, np.full(m, 3), np.ones(n), x.shape


def numbers(start, stop, step):
    if step > 0:
        x = np.arange(start, stop)
    else:
        x = np.arange(stop)
    return x * 2, np.arange(stop)[::2]


def add_of_two_sizes(x, y):
    return x[x > 0] + y[y > 0]


def rows(x, mask):
    chosen = x[mask]
    return chosen, chosen.sum(axis=0), chosen.sum(axis=1), chosen.T, chosen[:, 0]


def pixels(x):
    return x[x > 2], np.argwhere(x > 2), x[1, x[0] > 0]


def columns(x):
    return x[:, x[0] > 0], x[:, x.sum(axis=0) > 3].mean(axis=1)


def least_squares(x, y):
    keep = y > 0
    a, b = x[keep], y[keep]
    return np.linalg.solve(a.T @ a, a.T @ b), a @ np.ones(2)


def walked(x):
    total = 0.0
    for k, value in enumerate(x[x > 0]):
        total += value * (k + 1)
    return total


def iterated_until_stable(x):
    while len(x) > 1:
        x = x[x < x.mean()]
    return x


def length(x):
    y = x[x > 0]
    if len(y) > 1:
        return y[0] + y[1]
    return np.float64(-1.0)


def written(x, low, high):
    y = np.zeros(6)
    y[low:high] = 5.0
    y[low:high] += x[low:high]
    return y


def mask_written(x):
    y = x.copy()
    y[y < 0] = 0.0
    y[y > 2] *= 10.0
    return y


def mask_values(x, values):
    y = x.copy()
    y[y < 0] = values
    return y


def last(x):
    y = x[x > 0]
    return y[-1], y[0]


def stepped(x, n):
    return x[:n:2], x[n::-3], x[-n:n], x[n:0:-1]


def reshaped(x, n):
    y = x[:6]
    z = np.concatenate([y, x[: n * 0 + 2]])
    return z.reshape(n, -1), z.reshape((n, 4)), z.ravel().shape


def outer(x):
    y = x[x > 0]
    return np.outer(y, y), y[:, None] - y[None, :], y @ y


def sorted_and_cumulated(x):
    y = x[x > 0]
    return np.sort(y), np.argsort(y), np.cumsum(y), np.argmax(y), y[::-1], np.diff(y), np.where(y > 1, y, 0.0)


def merged(x, y):
    out = np.zeros(0, np.int64)
    i = 0
    j = 0
    while i < len(x) and j < len(y):
        if x[i] < y[j]:
            out = np.append(out, x[i])
            i += 1
        else:
            out = np.append(out, y[j])
            j += 1
    return np.concatenate([out, x[i:], y[j:]])


def of_list(n):
    xs = []
    for i in range(n):
        xs.append(i * 0.5)
    return np.array(xs) * 2.0


def printed(x):
    print("kept", x[x > 0])
    return x


def sieve(n):
    is_prime = np.ones(n, bool)
    is_prime[:2] = False
    i = 2
    while i * i < n:
        if is_prime[i]:
            is_prime[i * i :: i] = False
        i += 1
    return np.nonzero(is_prime)[0]


def quicksort(x):
    if len(x) <= 1:
        return x
    pivot = x[0]
    rest = x[1:]
    return np.concatenate([quicksort(rest[rest < pivot]), x[:1], quicksort(rest[rest >= pivot])])


def compacted(x):
    while x.size > 3:
        x = x[::2]
    return x


def mean_and_spread(x):
    y = x[x > 0]
    return y.mean(), y.std(), y.var(ddof=1), np.median(np.sort(y)), y.min(), y.max(), y.prod()


def pairs(x, y):
    kept = x[x > 0]
    total = 0.0
    for a in kept:
        for b in y:
            total += a * b
    return total, np.stack([kept, kept]), np.vstack([kept, kept + 1]), np.hstack([kept, y])


def matrix_written(x, n):
    a = np.zeros((n, 4))
    a[:, 1:3] = 5.0
    a[0, :2] = 1
    a[: n - 1, 3] = 8
    a[-1] = 2
    a[:, ::2] += 1
    return a


def block_written(x, n):
    a = np.zeros((5, 5))
    a[n:, n:] = 2
    a[:n, n] = x[:n]
    a[n] = 1
    a[n, :n] = 7
    return a


def rows_written(x, n):
    a = np.zeros((n, 4))
    a[np.array([0, 1]), 2] = 5.0
    a[:, [0, 3]] = 2
    a[a > 3] = -1
    a[a == 2] = x[:n].sum()
    a[:, 1:3] += np.array([3.0, 4.0])
    return a


def best_prefix(x, n):
    best = None
    for i in range(n):
        prefix = x[: i + 1]
        if best is None or prefix.sum() > best.sum():
            best = prefix
    return best


def stack_of(x):
    s = np.zeros(0)
    for v in x:
        if v > 0:
            s = np.append(s, v)
        else:
            s = s[:-1]
    return s


def table_of(n):
    rows = np.zeros((0, 2))
    for i in range(n):
        rows = np.vstack([rows, [i, i * 2.0]])
    return rows
