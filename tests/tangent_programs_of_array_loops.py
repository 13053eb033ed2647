"""Programs over arrays: loops, jumps, and what numerical programs are made of."""

from __future__ import annotations

import numpy as np
from tangent_case import LOG, Programs

PROGRAMS = Programs()
on = PROGRAMS.on

V = np.array([0.5, -1.2, 2.0])
W = np.array([1.5, 0.3, -0.7])
M = np.array([[0.5, -1.2, 2.0], [1.1, 0.4, -0.3]])
V1 = np.array([0.7])
F = np.array([0.5, -1.25, 2.0], np.float32)


@on((V, 0), (V, 1), (V, 3))
def halve_in_loop(x, n):
    for i in range(n):
        if np.sum(x) > 0.5:
            x = x / 2
        else:
            x = x * x
    return np.sum(x)


@on((V, 0), (V, 1), (V, 3))
def in_place_in_loop(x, n):
    y = np.zeros(3)
    for i in range(n):
        y += x * i
        y *= x
    return np.sum(y)


@on((V, 0), (V, 1), (V, 3))
def in_place_add_of_itself(x, n):
    y = x * x
    for i in range(n):
        y += y
        y -= x
    return np.sum(y * y)


@on((V, 0), (V, 1), (V, 3))
def write_in_loop_and_read(x, n):
    y = x * 1.0
    s = 0.0
    for i in range(n):
        s = s + np.sum(y * y)
        y[i] = y[i] * s
    return s + np.sum(y)


@on((V, 0), (V, 1), (V, 3))
def saved_before_write(x, n):
    y = x * 1.0
    parts = 0.0
    for i in range(n):
        z = y * y
        y[0] = z[1]
        parts = parts + np.sum(z * y)
    return parts


@on(V, -V)
def where_and_clip(x):
    return np.sum(np.where(x > 0, x * x, -x) + np.clip(x, -1.0, 1.5) * x)


@on(V)
def concatenated(x):
    y = np.concatenate([x, x * x, np.ones(2)])
    z = np.stack([x, x[::-1]])
    return np.sum(y[2:5] * x) + np.sum(z[0] * z[1])


@on(V)
def array_of_items(x):
    y = np.array([x[0] * x[1], x[2], 1.0])
    z = np.array([[x[0], 2.0], [x[1], x[2]]])
    return np.sum(y * y) + np.sum(z @ z)


@on(V)
def for_over_array(x):
    s = 0.0
    for a in x:
        s = s * a + a * a
    return s


@on(M)
def for_over_rows(m):
    s = 0.0
    for row in m:
        for a in row:
            s = s + a * row[0]
    return s


@on((V, W), wrt=(0, 1))
def for_over_zip(x, y):
    s = 1.0
    for a, b in zip(x, y):
        s = s * a + b
    return s


@on(V, np.zeros(0))
def for_over_enumerate(x):
    s = 1.0
    for i, a in enumerate(x):
        s = s * a + i
    return s


@on(V)
def for_over_enumerate_from(x):
    s = 1.0
    for i, a in enumerate(x, 2):
        s = s * a * i + x[i - 2]
    return s


@on(V)
def for_over_reversed(x):
    s = 1.0
    for a in reversed(x):
        s = s * a + 1
    for i in reversed(range(3)):
        s = s + x[i] * i
    return s


@on((V, W), (V, np.ones(2)), (np.ones(0), np.ones(0)), wrt=(0, 1))
def for_over_strict_zip(x, y):
    s = 0.0
    for a, b in zip(x, y, strict=True):
        s = s * 0.5 + a * b
    return s


@on((V, W), wrt=(0, 1))
def for_over_zip_that_is_not_strict(x, y):
    s = 0.0
    for a, b in zip(x[:2], y, strict=False):
        s = s * 0.5 + a * b
        if s > 100.0:
            break
    return s


@on((V, W), (V, np.ones(2)), (V, np.ones(4)), wrt=(0, 1))
def comprehension_over_strict_zips(x, y):
    return sum([a * b * c for a, b, c in zip(x, y, [2.0, 3.0, 4.0], strict=True)])


@on((V, 1), (V, -2))
def for_over_enumerate_from_a_number(x, n):
    s = 0.0
    for i, a in enumerate(x, start=n):
        s = s + a * a * i
    for i, a in enumerate(x * 2.0, n + 1):
        s = s + a * i
    return s


@on((V, W), wrt=(0, 1))
def for_over_zip_of_enumerate(x, y):
    s = 0.0
    for (i, a), b, (j, (c, d)) in zip(enumerate(x, 2), reversed(y), enumerate(zip(y, x))):
        s = s + a * b * i + c * d * j
    return s


@on((V, W), (V, np.ones(1)), wrt=(0, 1))
def comprehension_over_enumerate_zip(x, y):
    return sum(i * a * b for i, (a, b) in enumerate(zip(x, y), 1))


@on((V, W), wrt=(0, 1))
def for_over_enumerate_zip(x, y):
    s = 1.0
    for i, (a, b) in enumerate(zip(x, y)):
        s = s * a + b * i
    return s


@on(V)
def while_over_index(x):
    i = 0
    s = 0.0
    while i < len(x):
        s = s + x[i] ** 2 * i
        i = i + 1
    return s


@on(V, -V)
def break_over_array(x):
    s = 0.0
    for a in x:
        if a < 0:
            break
        s = s + a * a
    else:
        s = s * 2
    return s + x[0]


@on(V, -V)
def continue_over_array(x):
    s = 0.0
    for a in x:
        if a < 0:
            continue
        s = s + a**3
    return s + x[0]


@on((V, 1.0), (V, 5.0), (V, -2.0))
def find_first(x, limit):
    for i in range(len(x)):
        if x[i] > limit:
            return x[i] * x[0]
    return np.sum(x * x)


@on(V)
def loop_variable_rebound(x):
    s = 0.0
    for a in x:
        a = a * a
        s = s + a * x[0]
    return s + a


@on(V)
def write_while_iterating(x):
    y = x * 1.0
    s = 0.0
    for i in range(2):
        y[i + 1] = y[i] * x[i]
        s = s + y[i + 1]
    return s


@on((V, M), wrt=(0, 1))
def matrix_from_outer(v, m):
    o = np.outer(v, v)
    return np.sum(o * (m.T @ m)) + np.trace(o)


@on(M @ M.T + np.eye(2))
def linear_algebra(a):
    return np.linalg.det(a) + np.sum(np.linalg.inv(a)) + np.linalg.norm(a)


@on(V)
def cumulative(x):
    return np.sum(np.cumsum(x) * x) + np.prod(x)


@on(V)
def index_by_expression(x):
    i = int(np.argmax(x))
    return x[i] * x[i - 1]


@on(V)
def max_element_loop(x):
    best = x[0]
    for a in x:
        if a > best:
            best = a
    return best * best


@on(V)
def bubble_sort(x):
    y = x.copy()
    for i in range(len(y)):
        for j in range(len(y) - 1 - i):
            if y[j] > y[j + 1]:
                y[j], y[j + 1] = y[j + 1], y[j]
    return y[0] + 2 * y[1] + 3 * y[2]


@on(V)
def swap_of_items(x):
    y = x * 1.0
    y[0], y[1] = y[1] * 2, y[0]
    return np.sum(y * x)


@on(M)
def swap_of_rows(m):
    y = m * 1.0
    y[0], y[1] = y[1], y[0]
    return np.sum(y * m)


@on(M)
def swap_of_rows_fancy(m):
    y = m * 1.0
    y[[0, 1]] = y[[1, 0]]
    return np.sum(y * m)


@on(V)
def horner(c):
    y = np.zeros(2)
    t = np.array([0.5, 2.0])
    for a in c[::-1]:
        y = y * t + a
    return np.sum(y)


@on((V, 3), (V, 1))
def heat(u, steps):
    for _ in range(steps):
        new = u.copy()
        new[1:-1] = u[1:-1] + 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2])
        u = new
    return np.sum(u * u)


@on((V, 3), (V, 1))
def heat_in_place(u, steps):
    u = u * 1.0
    for _ in range(steps):
        u[1:-1] += 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2])
    return np.sum(u * u)


@on((V, 3), (V, 0))
def two_buffers(x, n):
    a = x * 1.0
    b = np.zeros(3)
    for i in range(n):
        b[:] = a * a
        a, b = b, a
    return np.sum(a) + 2 * np.sum(b)


@on(V, -V)
def view_of_one_of_two(x):
    a = x * 1.0
    b = x * x
    c = a if x[0] > 0 else b
    c[0] = 7.0 * x[1]
    return np.sum(a * b)


@on(V)
def nested_writes(x):
    y = np.zeros((2, 2))
    y[0][1] = x[0] * x[1]
    y[1, :][0] += x[2]
    return np.sum(y * y)


@on(V)
def prints_an_array(x):
    y = x * 2
    print(y, y.shape)
    y[0] = 3.0
    print(y)
    return np.sum(y * x)


@on(V)
def logs_items(x):
    s = 0.0
    for i in range(3):
        s = s + x[i] * x[i]
        LOG.append(float(s))
    return s


@on((V, W, 3), (V, W, 0), wrt=(0, 1))
def momentum(x, v, n):
    for i in range(n):
        g = 2 * x
        v = 0.9 * v - 0.1 * g
        x = x + v
    return np.sum(x * x)


@on(V)
def augmented_local_array(x):
    y = np.zeros(3)
    z = y
    y = y + x
    y += x
    z += 1.0
    return np.sum(y * y * z)


@on(V)
def array_of_result(x):
    return x[::-1] * x


@on(V)
def returns_the_argument(x):
    return x


@on(V)
def returns_a_view(x):
    y = x * x
    return y[1:]


@on(V)
def numpy_ndarray_attributes(x):
    y = x.real * 2 + x.imag
    return y.sum() * x.dtype.itemsize


@on(np.array(2.0))
def zero_dimensional(x):
    y = x * x
    for i in range(2):
        y = y * x
    return y + x


@on(V, 2.0)
def multiplied_by_zero(x):
    return np.sum(x * 0 + x**0 + 0.0 * x * x)


@on(V)
def zero_to_the_power(x):
    return np.sum(0.0 ** (x + 2) + 1**x + x * 1)


@on(V)
def divided_by_itself(x):
    return np.sum(x / x + (x - x) * x)


@on((2.0, V), wrt=(0, 1))
def scalar_result_in_an_array(s, a):
    y = np.ones(3) * s
    y[1] = s * a[0]
    return y * a


@on(V)
def argument_is_the_result_after_a_write(x):
    y = x.copy()
    y[0] = 2.0
    return y


@on(V)
def result_is_an_argument_that_is_read(x):
    np.sum(x)
    return x


@on(M)
def method_chains(m):
    return np.exp(m).sum(axis=0).reshape(-1).dot(np.array([1.0, 2.0, 3.0]))


@on(V)
def range_of_len_backwards(x):
    s = 0.0
    for i in range(len(x) - 1, -1, -1):
        s = s * 0.5 + x[i] * x[i]
    return s


@on((M, V), wrt=(0, 1))
def column_by_column(m, v):
    s = 0.0
    for j in range(m.shape[1]):
        s = s + np.sum(m[:, j] * v[j]) * v[j - 1]
    return s


@on((V, 3), (V, 0))
def write_inside_while(x, n):
    y = np.zeros(4)
    i = 0
    while i < n:
        y[i + 1] = y[i] + x[i] * x[i]
        i += 1
    return np.sum(y * y)


@on((V, 2), (V, 9))
def write_then_break(x, k):
    y = x * 1.0
    for i in range(3):
        y[i] = y[i] * y[i - 1]
        if i == k:
            break
        y[i - 1] += x[i]
    return np.sum(y * y)


@on((V, 1), (V, 9))
def write_then_continue(x, k):
    y = x * 1.0
    for i in range(3):
        if i == k:
            y[i] *= 3
            continue
        y[i] = y[i] * y[i - 1] + x[0]
    return np.sum(y * y)


@on((V, 1), (V, 9), (V, 0))
def write_then_return(x, k):
    y = x * 1.0
    for i in range(3):
        y[i] *= y[i - 1]
        if i == k:
            return np.sum(y * x)
    return y[0]


@on(V)
def slice_with_variables(x):
    s = 0.0
    for i in range(3):
        s = s + np.sum(x[i:] * x[i]) + np.sum(x[:i])
    return s


@on(M)
def mask_of_rows(m):
    keep = m[:, 0] > 0.7
    return np.sum(m[keep] ** 2) + np.sum(m[~keep, 1:])


@on(M)
def fancy_pairs(m):
    rows = np.array([0, 1, 1])
    columns = np.array([2, 0, 0])
    return np.sum(m[rows, columns] ** 2)


@on(V)
def empty_slice(x):
    return np.sum(x[3:]) + np.sum(x[1:1]) + x[0] * x[0]


@on(np.array([[2.0]]))
def squeeze_and_expand(m):
    y = np.squeeze(m) * 3
    z = np.expand_dims(y, 0)
    return np.sum(z * z) + m[0, 0]
