# run: closures(np.float64(1.0))
# run: nonlocal_count(np.int64(7))
# run: walrus(np.float64(100.0))
# run: default(np.float64(1.0))
# run: default(np.float64(1.0), np.float64(2.0))
# run: comprehension(np.arange(4.0))
# run: tuple_return(np.array([1.0, 2.0, 3.0]))
# run: nested_return(np.arange(9.0).reshape(3, 3), 4.0)
# run: nested_return(np.arange(9.0).reshape(3, 3), 40.0)
# run: star(np.float64(1.0), np.float64(2.0), np.float64(3.0))
# run: chained(np.float64(3.0))
# run: chained(np.float64(30.0))
# run: loop_else(np.array([1, 3, 5]))
# run: loop_else(np.array([1, 4, 5]))
# run: with_and_try(np.float64(4.0))
# run: deleted(np.float64(4.0))
# run: zero_division(np.int64(4), np.int64(0))
# run: integer_wrap(np.int32(2147483647))
# run: while_else(np.int64(3))
# run: ternaries(np.float64(-2.0))
# run: float_loop(0.0)
# run: counting(np.int64(3), 4)
# run: assigned_late(np.int64(3))
# run: target_after_loop(np.int64(5))
# run: string_choice(np.float64(1.0), "tanh")
# run: string_choice(np.float64(1.0), "other")
# run: continue_in_while(np.int64(10))
# run: big_constant(np.float64(1.0))
import contextlib

import numpy as np


def closures(x):
    makers = []
    for i in range(3):
        makers.append(lambda: x * i)
    return [make() for make in makers]


def nonlocal_count(n):
    count = 0

    def step(k):
        nonlocal count
        if k % 2 == 0:
            count += 1

    for k in range(n):
        step(k)
    return count


def walrus(x):
    n = 0
    while (y := x / 2.0) > 1.0:
        x = y
        n += 1
    return x, y, n


def default(x, y=None):
    if y is None:
        y = x * 2
    return y if y > 1.5 else x


def comprehension(x):
    return sum([v * 2 for v in x if True]), [i * x[0] for i in range(3)]


def tuple_return(x):
    for i in range(len(x)):
        if x[i] > 1.5:
            return i, x[i]
    return -1, 0.0


def nested_return(m, limit):
    for row in m:
        for v in row:
            if v > limit:
                return v * 10
    return -1.0 * m[0, 0] - 1.0


def star(*values):
    first, *rest = values
    total = first
    for v in rest:
        total = total + v if v > 2 else total - v
    return total


def chained(x):
    calls = []

    def probe(v):
        calls.append(1)
        return v

    return 1 < probe(x) < 10, len(calls)


def loop_else(values):
    for v in values:
        if v % 2 == 0:
            break
    else:
        return -1
    return 1


def with_and_try(x):
    with contextlib.nullcontext():
        try:
            y = np.sqrt(x)
        finally:
            x = x + 1
    return x, y


def deleted(x):
    y = x * 2
    del x
    x = y + 1
    return x


def zero_division(a, b):
    return a // b, a % b, np.float64(a) / b


def integer_wrap(x):
    return x + np.int32(1), x * np.int32(2)


def while_else(n):
    k = 0
    while k < n:
        k += 1
    else:
        k = k * 100
    return k


def ternaries(x):
    return (1 if x > 0 else 2) if x > -1 else (3 if x > -3 else 4), x if x > 0 else -x


def float_loop(x):
    while x < 1.0:
        x += 0.1
    return x


def counting(n, m):
    total = 0
    for i in range(n):
        for j in range(i, m):
            total += i * j
    return total


def assigned_late(n):
    for i in range(n):
        if i == 0:
            previous = i
        else:
            previous = previous + i
    return previous


def target_after_loop(n):
    for i in range(1, n):
        pass
    return i


def string_choice(x, activation):
    if activation == "tanh":
        return np.tanh(x)
    return x


def continue_in_while(n):
    k, total = 0, 0
    while k < n:
        k += 1
        if k % 3 == 0:
            continue
        total += k
    return total


def big_constant(x):
    return x * 1e300 * 1e10, x + 123456789012345678
