"""Programs that write by names of which a branch has chosen what they are, and that give items by `*`."""

from __future__ import annotations

import math

import numpy as np
from tangent_case import Programs

PROGRAMS = Programs()
on = PROGRAMS.on

V = np.array([1.3, 0.7, 2.1])
A = np.array([[1.5, 2.0, 0.5], [0.25, 1.25, 2.5], [3.0, 0.75, 1.0]])


@on((A, 1.0), (A, -1.0))
def row_of_a_ternary(a, k):
    row = a[0] if k > 0 else a[1]
    row *= 2
    return np.sum(a * a)


@on((A, 1.0), (A, -1.0))
def array_of_a_ternary(a, k):
    b = a * 2.0
    c = a * a
    v = b if k > 0 else c
    v[0] = a[2] * a[1]
    return np.sum(b * c)


@on((A, 1.0), (A, 3.0), (A, -1.0))
def view_of_one_of_three(a, k):
    b = a * 1.0
    if k > 2:
        v = b[0][1:]
    elif k > 0:
        v = b.T[1]
    else:
        v = a[2] * 1.0
    v *= a[0, 0]
    return np.sum(b * b) + np.sum(v)


@on((A, 1.0), (A, -1.0))
def read_by_a_view_of_either_branch(a, k):
    b = a * 1.0
    if k > 0:
        d = b[1:]
    else:
        d = b[:2]
    b[1] = a[0] * 3.0
    return np.sum(d * a[:2])


@on((A, 0), (A, 3))
def row_of_either_in_a_loop(a, n):
    b = a * 1.0
    for i in range(n):
        row = b[i] if i % 2 else b[i - 1]
        row *= a[0, 1]
        row[0] += a[0, 0]
    return np.sum(b * b)


@on((A, 0), (A, 4))
def row_of_either_beside_continue(a, n):
    b = a * 1.0
    for i in range(n):
        if i > 2:
            continue
        if i > 0:
            row = b[i - 1]
        else:
            row = b[2]
        if row[0] > 1:
            row *= a[0, 1]
        else:
            row += a[i]
    return np.sum(b * b)


@on((A, 1.0), (A, -1.0))
def row_that_one_branch_binds_anew(a, k):
    b = a * 1.0
    row = b[0]
    if k > 0:
        row = b[1]
    row[0] = k * a[2, 2]
    return np.sum(b * b)


@on((A, 1.0, 1.0), (A, 1.0, -1.0), (A, -1.0, 1.0), (A, -1.0, -1.0))
def view_of_four(a, k, m):
    b = a * 1.0
    if k > 0:
        if m > 0:
            v = b[0]
        else:
            v = b[1]
    else:
        v = b[2] if m > 0 else a[1]
    v *= a[0, 0]
    v[1] = a[1, 1]
    return np.sum(b * b) + np.sum(v * a[0])


@on((A, 1.0), (A, -1.0))
def list_of_either_branch(a, k):
    xs = [a[0] * 1.0]
    ys = [a[1] * 1.0]
    chosen = xs if k > 0 else ys
    chosen.append(a[2] * a[0])
    return np.sum(xs[-1]) * np.sum(ys[-1])


@on((A, 1.0), (A, -1.0))
def item_of_either_list(a, k):
    xs = [a[0] * 1.0, a[1] * 2.0]
    w = xs[0] if k > 0 else xs[1]
    w *= a[2]
    return np.sum(xs[0] * xs[1])


@on((A, -1.0))
def row_of_a_place_that_is_not_known(a, k):
    b = a * 1.0
    v = b[0]
    if k > 0:
        v = b[len(b) - 1]
    v *= k
    return np.sum(b * b)


@on((A, 1.0))
def row_of_a_place_that_is_not_known_taken(a, k):
    b = a * 1.0
    v = b[0]
    if k > 0:
        v = b[len(b) - 1]
    v *= k
    return np.sum(b * b)


@on((A, 1.0), (A, -1.0))
def given_to_a_writer(a, k):
    def halve(row):
        row /= 2

    b = a * 1.0
    row = b[0] if k > 0 else b[1]
    halve(row)
    return np.sum(b * b)


@on(1.3, 3.7, 0.4)
def largest_of_a_list_given_with_a_star(x):
    xs = [x * 2, x * x, 3.0]
    return max(*xs) + min(*xs)


@on(1.3, 3.7, 0.4)
def largest_of_items_and_more(x):
    xs = [x * 2, x * x]
    return max(1.0 - x, *xs, 0.5 * x) * min(*xs, *[x, 3.0])


@on(V)
def largest_of_an_array_given_with_a_star(v):
    return max(*v) * min(*(v * v))


@on((1.3, 2.0), (0.2, 0.1))
def hypotenuse_of_a_list(x, y):
    sides = [x * y, y, 2.0]
    return math.hypot(*sides) + math.hypot(x, *sides[1:])


@on(V)
def broadcast_of_a_list(v):
    xs = [v, v[:1] * 2.0]
    a, b = np.broadcast_arrays(*xs)
    return np.sum(a * b)


@on((V, (3, 1)))
def reshaped_by_a_tuple(v, shape):
    return np.sum(v.reshape(*shape) * v)
