"""Programs whose derivatives were wrong once."""
# ruff: noqa: RUF059

from __future__ import annotations

import numpy as np
from tangent_case import LOG, Programs

PROGRAMS = Programs()
on = PROGRAMS.on

V = np.array([0.5, -1.2, 2.0])
W = np.array([1.5, 0.3, -0.7])
M = np.array([[0.5, -1.2, 2.0], [1.1, 0.4, -0.3]])


@on((0.71, np.array([0.53, -0.81, 1.13])), wrt=(0, 1))
def alias_of_argument_written_beside_a_number(x, a):
    u = x
    d = a
    d[d > 0.3] = x
    u += u
    b = np.zeros(3) + a[2]
    return np.sum(d * a) + u + np.sum(b * a)


@on(V)
def original_written_after_a_copy(x):
    c = x * 2.0
    d = c.copy()
    c[1] *= 0.5
    return np.sum(c * x) + np.sum(d * d)


@on(np.array([0.5, -1.2, 2.1]))
def int_array_written_with_floats(x):
    d = np.array([1, 2, 3])
    d[0] = x[2]
    d[1] += x[2]
    d[2] *= x[2]
    return np.sum(d * x)


@on((V, 1), (V, 0))
def view_made_in_a_loop(x, n):
    b = x.copy()
    d = b[:]
    i = 0
    while i < n:
        i += 1
        d = b[:]
        b[b > 0.3] = x[1]
    return np.sum(d * x)


@on(V)
def view_of_itself(x):
    c = x * x
    c = c[::-1]
    c = c[1:]
    return np.sum(c * x[:2])


@on((V, 0), (V, 1), (V, 3))
def view_of_itself_in_a_loop(x, n):
    c = x * x
    for _ in range(n):
        c = c[::-1]
    return np.sum(c * x)


@on((V, 1), (V, 4))
def number_scaled_beside_continue(x, n):
    u = x[0] * 1.0
    p = 0.0
    for i in range(3):
        if i == n:
            u *= x[1]
            continue
        p = p + u * x[i]
    return u + p


@on(V)
def loop_that_rebinds_its_sequence(x):
    d = x * 0.9
    s = 0.0
    for i, e in enumerate(d):
        s = s + e * e
        d = x * x * 0.5
    for e in reversed(d):
        d = np.where(d > 0.2, d, s)
        s = s + e
    return s + np.sum(d)


@on(V)
def written_after_the_last_read(x):
    c = np.zeros(3) + x[0]
    b = np.tanh(c * x)
    c[0], c[1] = c[1], 0.5
    return np.sum(b * x)


@on((V, True), (V, False))
def view_through_a_call_written(x, flag):
    b = np.zeros(4)
    b.reshape(2, 2)[0] = x[0]
    return np.sum(b) * x[1]


@on(V)
def item_as_a_loop_target(x):
    b = np.zeros(2)
    for b[0] in x:
        pass
    return b[0] * x[1]


BUFFER = np.array([1.0, 4.0])


@on(V)
def array_of_the_module_written(x):
    BUFFER[0] = x[0]
    return BUFFER[0] * BUFFER[1] * x[1]


@on(V)
def alias_of_an_array_of_the_module_written(x):
    b = BUFFER
    b[0] = x[0]
    return BUFFER[0] * x[1]


B = np.array([[2.0, 0.3], [0.1, 1.0], [0.4, 0.2]])


@on(B)
def one_factor_of_two(x):
    q, r = np.linalg.qr(x)
    return np.sum(r * r * r)


@on(B)
def vectors_without_values(x):
    w, v = np.linalg.eigh(x.T @ x)
    return np.sum(v**2 * np.array([1.0, 2.0]))


@on(B)
def left_vectors_alone(x):
    u, s, vh = np.linalg.svd(x, full_matrices=False)
    return np.sum(u**2 * np.array([1.0, 2.0]))


@on(B)
def one_row_of_an_unpacked_array(x):
    first, second = x.T @ x
    return np.sum(first * first)


@on(V)
def one_part_of_a_split(x):
    a, b, c = np.split(x, 3)
    return a[0] * a[0]


@on(M)
def one_axis_of_a_gradient(x):
    rows, columns = np.gradient(x)
    return np.sum(rows**2)


@on(V)
def one_grid_of_two(x):
    across, down = np.meshgrid(x, x)
    return np.sum(down**2 * across[0, 0])


@on((M, 0), (M, 1))
def axis_given(x, axis):
    return np.sum(np.max(x, axis=axis) ** 2) + np.sum(np.mean(x, axis) ** 2)


@on(V)
def lower_triangle(x):
    y = np.zeros((3, 3))
    for i in range(3):
        for j in range(i):
            y[i, j] = x[i] * x[j]
            y[j, i] = y[i, j]
    return np.sum(y * y)


@on(V)
def centred_and_scaled(x):
    y = x.copy()
    y -= y.mean()
    y /= y.std()
    return np.sum(y**3 * x)


@on(M)
def log_sum_exp_of_rows(x):
    total = 0
    for row in x:
        m = row.max()
        total += m + np.log(np.sum(np.exp(row - m)))
    return total


@on((V, np.array([1.0, 2.0])), wrt=(0, 1))
def kernel(x, y):
    d = x[:, None] - y[None, :]
    k = np.exp(-(d**2))
    k += 0.1
    return np.sum(k @ y)


@on(V)
def overlapping_slices(x):
    a = np.zeros(4)
    a[:-1] = x
    a[1:] += a[:-1]
    a[::2] *= a[1::2]
    return np.sum(a * a)


@on(0.7, 0.3)
def return_in_a_nested_if(x):
    s = x * 2
    if x > 0.45:
        if x > -0.3:
            return s * x
    d = s * 0.9
    return s + d


@on(2.0, -1.0)
def return_in_try_with_a_bound_variable(x):
    y = x
    try:
        if x > 0:
            return y * y
        y = y * 3
    finally:
        LOG.append("done")
    return y * x


@on(2.0, -0.5)
def multiplied_by_itself_in_place(x):
    t = x * x
    t *= t
    t += t
    t -= t * 0.3
    t /= t + 1
    return t * x


@on((2.0, 0), (2.0, 1), (2.0, 3))
def constant_that_a_swap_moves(x, n):
    t = 1.0
    u = x
    for i in range(n):
        u, t = t, t
    return x * t + u


@on((2.0, True), (2.0, False))
def constant_that_a_swap_in_a_branch_moves(x, flag):
    t = x
    u = 0.5
    if flag:
        t, u = u, u
    return u + t * x


@on((1.3, 0), (1.3, 3))
def first_bound_in_a_loop(x, n):
    s = x
    for i in range(n):
        if i == 0:
            c = x * s
        else:
            s = s + c
    c = s * 2.0
    return c * x


@on(3.0)
def nonlocal_statement(x):
    k = 1.0

    def inner():
        nonlocal k
        k = k * x

    inner()
    inner()
    return k


TOTAL = 1.0


@on(3.0)
def global_that_is_written(x):
    global TOTAL
    TOTAL = x * x
    return TOTAL * x


STATE = {"w": 1.0}
HISTORY = [1.0, 2.0]


@on(3.0)
def dict_of_the_module_written(x):
    STATE["w"] = x * x
    return STATE["w"] * x


@on(3.0)
def list_of_the_module_written(x):
    HISTORY[0] = x * x
    return HISTORY[0] * x


@on(3.0)
def constant_written_to_the_module(x):
    global TOTAL
    TOTAL = 5.0
    STATE["w"] = 2.0
    HISTORY[0] = 4.0
    return TOTAL * x


@on(3.0)
def repeated_list_written(x):
    y = [x]
    z = y * 2
    z[0] = 3.0
    return z[1] * z[0] * y[0]


@on(3.0)
def yields(x):
    yield x * x


@on(3.0)
def returns_nothing(x):
    x * x


@on(V)
def view_of_a_view_written(x):
    a = x * 1.0
    r = a[0:]
    s = r[0:]
    s[0] = 3.0
    return np.sum(a * x)


@on(V)
def reshaped_alias_written(x):
    a = x * 1.0
    r = a
    s = r.reshape(3, 1)
    s[0] = 3.0
    return np.sum(a * x)


@on(V)
def array_in_a_copied_list_written(x):
    a = x * 1.0
    xs = [a, x]
    ys = xs.copy()
    y = ys[0]
    y[0] = 3.0
    return np.sum(xs[0] * x)


@on(V)
def array_in_a_list_of_a_list_written(x):
    xs = [x * 1.0, x]
    ys = list(xs)
    y = ys[0]
    y[0] = 3.0
    return np.sum(xs[0] * x)


@on(V)
def copies_of_lists_that_grow(x):
    a = x * 1.0
    xs = [a, x]
    ys = list(xs)
    ys.append(x * 2.0)
    zs = ys.copy()
    zs.append(x)
    return np.sum(xs[0] * x) + np.sum(ys[2]) + np.sum(zs[3] * zs[2])


@on(V, -V)
def view_of_either_branch_written(x):
    b = x * 1.0
    if x[0] > 0:
        d = b[:]
    else:
        d = b[0:]
    b[0] = 3.0
    return np.sum(d * x)


@on(V, -V)
def element_or_alias_of_what_is_written(x):
    b = x * 1.0
    d = b
    if x[0] > 0:
        d = b[:]
    b[0] = 3.0
    return np.sum(d * x)


def squares(v):
    return np.sum(v * v)


def first_times_second(vs):
    return vs[0] * vs[1]


@on(V, W)
def callee_keeps_what_its_caller_writes_later(x):
    y = x * 1.0
    s = squares(y) * 2
    y[0] = 5.0
    return s + np.sum(y)


@on(V)
def callee_in_a_loop_keeps_what_its_caller_writes_later(x):
    y = x * 1.0
    s = 0.0
    for i in range(3):
        s = s + squares(v=y) * y[i]
        y[i] = s
    return s


@on(3.0, -0.5)
def list_of_a_callee_grows_later(x):
    xs = [x, x * x]
    s = first_times_second(xs) * 2
    xs.append(x)
    xs[0] = 7.0
    return s * xs[0] * xs[2]


@on((0.7, 1), (0.7, 2), (0.7, 4))
def bound_first_and_read_in_the_next_iteration(x, n):
    if n < 0:
        last = 0.0
    for i in range(n):
        if i > 0:
            x = x * last
        last = np.sin(x)
    return x
