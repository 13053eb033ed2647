# run: one_of_two(np.ones(2), np.int64(1))
# run: one_of_two(np.ones(2), np.int64(-1))
# run: written_then_bound(np.ones(2), np.zeros(2), np.int64(1))
# run: written_then_bound(np.ones(2), np.zeros(2), np.int64(-1))
# run: written_then_bound_in_a_loop(np.ones(2), np.int64(2))
# run: written_then_bound_in_a_loop(np.ones(2), np.int64(0))
# run: joined_arrays_of_its_own(np.int64(1))
# run: joined_arrays_of_its_own(np.int64(-1))
# run: rebound_in_a_loop(np.int64(3))
# run: rebound_in_a_loop(np.int64(0))
# run: written_view_of_its_own(np.int64(1))
# run: nested_loops(np.int64(3))
# run: bound_anew_and_written(np.ones(2), np.int64(3))
# run: alias_in_loop(np.zeros(3), np.int64(4))
# run: alias_rebound(np.ones(3), np.int64(2))
# run: in_place_alias(np.ones(3), np.int64(3))
# run: swapped(np.float64(1.0), np.float64(2.0), np.int64(5))
# run: swapped_arrays(np.zeros(2), np.ones(2), np.int64(3))
# run: accumulator(np.arange(12.0).reshape(4, 3))
# run: out_argument(np.arange(3.0))
# run: two_names(np.arange(4.0), np.float64(1.0))
# run: two_names(np.arange(4.0), np.float64(-1.0))
# run: history(np.float64(2.0))
# run: unrolled_history(np.float64(2.0))
# run: table(np.float64(3.0))
# run: copies(np.arange(3.0), np.int64(3))
# run: fibonacci(np.int64(30))
# run: nested_write(np.zeros((3, 3)), np.int64(3))
import numpy as np


def alias_in_loop(x, n):
    y = x
    total = 0.0
    for _ in range(n):
        x[0] += 1.0
        total += y[0]
    return total, y, x


def alias_rebound(x, n):
    y = x
    for _ in range(n):
        x = x * 2.0
    return x, y


def in_place_alias(x, n):
    y = x
    for _ in range(n):
        x += 1.0
    return y, x


def swapped(a, b, n):
    for _ in range(n):
        a, b = b, a
    return a, b


def swapped_arrays(a, b, n):
    for _ in range(n):
        a, b = b, a + b
    return a, b


def accumulator(rows):
    total = np.zeros(3)
    for row in rows:
        total += row
        total[0] = total[0] * 2
    return total


def out_argument(x):
    y = np.empty(3)
    np.multiply(x, 2.0, out=y)
    np.add(y, 1.0, out=y)
    return y, x


def two_names(x, s):
    y = x
    if s > 0:
        x[1] = 10.0
    else:
        y[2] = 20.0
    return x + y


def history(x):
    seen = []
    for i in range(3):
        x = x * 2
        seen.append(x)
    return np.stack(seen)


def unrolled_history(x):
    seen = []
    for i in range(10):
        x = x + i
        seen.append(x)
    return np.array(seen), len(seen)


def table(x):
    values = {"a": x, "b": x * 2}
    for k in ("a", "b"):
        values[k] = values[k] + 1
    values["c"] = 0.5
    return values


def copies(x, n):
    for i in range(n):
        y = x.copy()
        y[0] = i
        x = x + y
    return x


def fibonacci(n):
    f = np.zeros(31, np.int64)
    f[1] = 1
    for i in range(2, n + 1):
        f[i] = f[i - 1] + f[i - 2]
    return f


def nested_write(m, n):
    for i in range(n):
        for j in range(n):
            if i != j:
                m[i, j] = i * 10 + j
    return m


def one_of_two(x, c):
    y = x.copy() if c > 0 else x * 2
    y += 1
    return x, y


def written_then_bound(x, z, c):
    if c > 0:
        x += 1
        y = x
    else:
        y = z
    return y + 0


def written_then_bound_in_a_loop(x, n):
    y = x * 3
    for _ in range(n):
        x += 1
        y = x
    return y + 0


def joined_arrays_of_its_own(c):
    y = np.zeros(2)
    if c > 0:
        y = np.ones(2)
    y += 1
    return y


def rebound_in_a_loop(n):
    w = np.zeros(2)
    for _ in range(n):
        w = w * 2 + 1
        w += 1
    w += 1
    return w


def written_view_of_its_own(c):
    y = np.arange(6).reshape(2, 3)
    y[0] = 5
    if c > 0:
        y[1] += 1
    return y


def nested_loops(n):
    total = np.zeros(2)
    for _ in range(n):
        for _ in range(n):
            total = total + 1
        total *= 2
    return total


def bound_anew_and_written(x, n):
    y = x + 0
    for _ in range(n):
        z = y
        y = y + 1
        y += z.sum()
    return y
