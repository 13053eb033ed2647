"""Writes in place that the result does not show by name, and results that have the name of their operands."""

from __future__ import annotations

import numpy as np
from tangent_case import LOG, Programs

PROGRAMS = Programs()
on = PROGRAMS.on

V = np.array([1.3, 0.7, 2.1])


def filled(t, u):
    t[1] = u
    return t[0]


def _scratch(t):
    room = np.zeros(3)
    room[0] = t[0]
    return float(room[0])


def _helper(u, v):
    return np.sin(u) * v


@on(V)
def alias_of_an_alias_written(x):
    y = x
    z = y
    z[1] = 5.0
    return np.sum(x * x)


@on(V)
def view_of_a_view_scaled(x):
    y = x[1:]
    z = y[1:]
    z *= 2.0
    return np.sum(x * x)


@on(V)
def alias_sorted(x):
    y = x
    y.sort()
    return x[0] * 1.0


@on(V)
def alias_filled(x):
    y = x
    y.fill(3.0)
    return np.sum(x * x)


@on(V)
def alias_given_to_a_writer_of_numpy(x):
    y = x
    np.copyto(y, np.ones(3))
    return np.sum(x * x)


@on(V)
def alias_as_out(x):
    y = x
    np.multiply(y, 2.0, out=y)
    return np.sum(x * x)


@on(V)
def alias_shuffled(x):
    y = x
    np.random.default_rng(0).shuffle(y)
    return x[0] * 1.0


@on(V)
def alias_given_to_a_callee_that_writes(x):
    y = x
    z = x * 1.0
    filled(y, 5.0)
    return np.sum(x * z)


@on(V)
def alias_given_by_a_keyword(x):
    y = np.ravel(x)
    filled(u=5.0, t=y)
    return np.sum(x * x)


@on(V)
def result_of_a_writer_that_nothing_reads(x):
    y = x * 1.0
    count = filled(y, 5.0)
    return np.sum(y * y)


def _rotate(a, b, c, s):
    a_before = a * 1.0
    a *= c
    a += s * b
    b *= c
    b -= s * a_before


def _swept(a, steps):
    for k in range(steps):
        for i in range(1, len(a)):
            _averaged(a[i - 1 : i + 1], 0.5 - 0.1 * k)
    return a


def _averaged(pair, w):
    pair[1] = w * pair[0] + (1 - w) * pair[1]


def _sorted_into(out, values, k):
    if k == len(values):
        return 0
    out[k] = values[k] ** 2
    return 1 + _sorted_into(out, values, k + 1)


def _noted(log, value):
    log.append(float(value))


def _pushed(xs, v):
    xs.append(v * xs[-1])
    xs.append(v)
    return len(xs) * v


def _leaves(node, out, depth):
    if depth == 0:
        out.append(node * 1.0)
        return
    _leaves(node * 0.5, out, depth - 1)
    _leaves(node * 2.0, out, depth - 1)


@on(V)
def list_that_a_callee_appends_to(x):
    xs = [x[0]]
    total = 0.0
    for i in range(3):
        total = total + _pushed(xs, x[i] * x[0])
    return np.sum(np.array(xs) ** 2) * total


@on(V)
def list_that_a_recursion_fills(x):
    out = []
    _leaves(x[0] * x[1], out, 2)
    return sum([v**2 for v in out]) + x[2]


@on(V)
def list_of_a_closure_filled(x):
    out = []

    def add(v):
        out.append(v * x)

    for i in range(3):
        add(x[i])
    total = 0.0
    for row in out:
        total = total + np.sum(row * row)
    return total


@on(V)
def rows_rotated_by_a_callee(x):
    a = np.outer(x, x) + np.eye(3)
    for j in range(2):
        _rotate(a[j], a[j + 1], np.cos(x[0]), np.sin(x[0]))
    return np.sum(a * a * np.arange(9.0).reshape(3, 3))


@on(V)
def sweeps_of_a_callee(x):
    y = x * 2.0
    z = _swept(y, 3)
    return np.sum(y * z) + x[0]


@on(V)
def filled_by_a_recursion(x):
    room = np.zeros(3)
    count = _sorted_into(room, x, 0)
    return np.sum(room * x) * count


@on(V)
def buffer_set_by_a_callee_after_it_was_read(x):
    buffer = np.ones(3)
    y = x * buffer
    _scaled_buffer(buffer, 5.0)
    return np.sum(y * y) + np.sum(buffer)


def _scaled_buffer(buffer, by):
    buffer *= by


@on(V)
def array_of_a_closure_written(x):
    state = x * 1.0

    def step(rate):
        state[1:] -= rate * (state[1:] - state[:-1])
        return np.sum(state)

    total = 0.0
    for _ in range(3):
        total = total + step(x[0])
    return total * state[2]


@on(V)
def argument_itself_written_by_a_callee(x):
    _averaged(x, x[2])
    return np.sum(x * x)


@on((1.5, 2.0), (np.array([1.0, 2.0]), 3.0))
def number_or_array_augmented_by_a_callee(x, s):
    y = x * 1.0
    z = _shifted(y, s)
    return np.sum(y * y) + np.sum(z)


def _shifted(y, by):
    y += by
    return y


@on(V)
def writer_in_a_test(x):
    y = x * 1.0
    if filled(y, 5.0) > 0:
        y = y * 2
    return np.sum(y * y)


@on(V)
def writer_in_a_print(x):
    y = x * 1.0
    print(filled(y, 5.0))
    return np.sum(y * y)


@on(V)
def writer_in_a_conversion(x):
    y = x * 1.0
    count = int(filled(y, 5.0))
    return np.sum(y * y) * count


@on(V)
def writer_in_an_operand(x):
    y = x * 1.0
    z = x[0] * int(filled(y, 5.0))
    return np.sum(y * y) * z


@on(V)
def writer_in_a_loop_test(x):
    y = x * 1.0
    i = 0
    while filled(y, 5.0) < 9 and i < 2:
        y = y * 2
        i += 1
    return np.sum(y * y)


@on(V)
def pop_in_a_print(x):
    xs = [x[0], x[1] * x[0]]
    print(xs.pop())
    return xs[0] * xs[0]


@on(V)
def writer_of_its_own_arrays_in_a_test(x):
    y = x * 1.0
    if _scratch(y.copy()) > 0:
        y = y * 2
    LOG.append(_scratch(y.copy()))
    return np.sum(y * y)


@on(V)
def closure_that_writes_its_argument_into_a_variable(x):
    c = 0.5

    def bump(by):
        nonlocal c
        c = np.tanh(c + by)
        return c

    bump(x[1])
    return c


@on(V)
def log_of_an_alias(x):
    y = x
    LOG.append(y)
    LOG.append(f"{y[0]:.2f}")
    return np.sum(x * y)


@on(V, np.array([0.5, -1.0, 2.0]))
def choice_of_itself(x):
    y = x * 1.0
    y = np.where(y > 0, y, y)
    return np.sum(y * y)


@on(V)
def dot_of_itself(y):
    y = np.dot(y, y)
    return y * y


@on(V)
def outer_of_itself(y):
    y = np.outer(y, y)
    return np.sum(y * y)


@on(V)
def inner_of_itself(y):
    y = np.inner(y, y)
    return y * y


@on(V)
def kron_of_itself(y):
    y = np.kron(y, y)
    return np.sum(y * y)


@on(V)
def convolution_of_itself(y):
    y = np.convolve(y, y)
    return np.sum(y * y)


@on(V)
def interpolation_in_itself(y):
    y = np.interp(y, np.arange(3.0), y)
    return np.sum(y * y)


@on(V)
def inserted_into_itself(y):
    y = np.insert(y, 1, y)
    return np.sum(y * np.arange(6.0))


@on(V)
def callee_of_itself_twice(y):
    y = _helper(y, y)
    return np.sum(y * y)


@on(V)
def pair_of_itself(y):
    y = (y, y)
    return np.sum(y[0] * y[1])


@on((1.5, 1), (-0.5, 0))
def index_by_an_argument(x, i):
    xs = np.array([x, x * x])
    return xs[i] * xs[i] * xs[0]


@on(1.5)
def indices_with_one_twice(x):
    xs = np.array([x, x * x, x + 1])
    return np.sum(xs[[0, 1, 1]] * xs[[2, 1, 1]])


@on(1.5)
def loop_over_indices(x):
    xs = np.array([x, x * x, x + 1])
    y = 0.0
    for i in (0, 2, 2):
        y = y + xs[i] * xs[i]
    return y


def scaled_and_more(y, k):
    y *= k
    return y * k + 1.0


@on(V)
def result_bound_to_what_was_written(x):
    y = x * 1.0
    z = y
    y = scaled_and_more(y, 2.0)
    return np.sum(y * z)


@on(V)
def results_bound_to_what_was_written(x):
    y = x * 1.0
    z = y
    for k in range(4):
        y, w = scaled_and_more(y, 0.5 + k), y[0]
    return np.sum(y * z) * w
