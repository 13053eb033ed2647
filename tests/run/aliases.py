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
