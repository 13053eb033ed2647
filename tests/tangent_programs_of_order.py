"""Programs with `sorted`, `max` and `min` with keys, `sum`, `zip`, `enumerate` and `reversed`."""

from __future__ import annotations

import numpy as np
from tangent_case import Programs

PROGRAMS = Programs()
on = PROGRAMS.on

V = np.array([0.5, -1.2, 2.0])


@on([1.5, -0.5, 2.5])
def order_sorted(xs):
    ys = sorted(xs)
    return ys[0] * ys[1] + ys[2] * 3


@on([1.5, -0.5, 2.5])
def order_sorted_key(xs):
    ys = sorted(xs, key=lambda v: v * v)
    return ys[0] * 2 + ys[1] * 3 + ys[2] * 5


@on([1.5, -0.5, 2.5])
def order_sorted_abs(xs):
    ys = sorted(xs, key=abs, reverse=True)
    return ys[0] * 2 + ys[1] * 3 + ys[2] * 5


@on([1.5, -0.5, 2.5])
def order_max_key(xs):
    return max(xs, key=lambda v: -v) * 3 + min(xs, key=abs)


@on([1.5, -0.5, 2.5], [])
def order_max_default(xs):
    return max(xs, default=0.0) * 3 + min(xs, default=1.0)


@on((1.5, 2.5))
def order_max_args_key(x, y):
    return max(x, y * x, key=lambda v: -v) * 3


@on(([1.5, -0.5, 2.5], 2.0), ([], 2.0), wrt=(0, 1))
def order_sum_start(xs, s):
    return sum(xs, s) * 2 + sum(xs, start=s * s)


@on(([1.5, -0.5, 2.5], [1.0, 2.0, 3.0]), ([1.0], [2.0, 3.0]), wrt=(0, 1))
def order_zip_strict(xs, ys):
    s = 0.0
    for x, y in zip(xs, ys, strict=True):
        s = s + x * y
    return s


@on([1.5, -0.5, 2.5])
def order_enumerate_start(xs):
    s = 0.0
    for i, x in enumerate(xs, start=1):
        s = s + x * i
    for i, x in enumerate(xs, 2):
        s = s + x * i
    return s


@on([1.5, -0.5, 2.5], V)
def order_reversed(xs):
    s = 1.0
    for x in reversed(xs):
        s = s * x + x
    return s


@on([1.5, -0.5, 2.5])
def order_reversed_list(xs):
    ys = list(reversed(xs))
    return ys[0] * ys[1] + ys[2]


@on([1.5, -0.5, 2.5])
def order_sorted_pairs(xs):
    ps = sorted([(x * x, i) for i, x in enumerate(xs)])
    return ps[0][0] * ps[1][0] + ps[0][1]


@on([1.5, -0.5, 2.5])
def order_sorted_items(xs):
    d = {"b": xs[0], "a": xs[1]}
    s = 0.0
    for k, v in sorted(d.items()):
        s = s * 2 + v
    return s


@on([1.5, -0.5, 2.5])
def order_max_of_generator(xs):
    return max(x * x for x in xs) + sum(x for x in xs if x > 0)
