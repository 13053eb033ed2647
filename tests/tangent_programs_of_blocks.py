"""Programs with `grad_of` blocks: what they see, and what they change."""

from __future__ import annotations

import numpy as np
from autograph import tangent
from tangent_case import Programs

PROGRAMS = Programs()
on = PROGRAMS.on

V = np.array([0.5, 1.2, 2.0])


@on(2.0, 0.5, wanted=lambda x: 20 * x if x > 1 else 1.0)
def block_in_a_branch(x):
    if x > 1:
        with tangent.grad_of(x) as dx:
            dx *= 10
        return x * x
    return x


@on((2.0, 3), (2.0, 0), wanted=lambda x, n: 1.0)
def block_in_a_loop(x, n):
    y = x
    for _ in range(n):
        with tangent.grad_of(y) as dy:
            dy = dy * 0.5
        y = y * 2
    return y


@tangent.tangent
def doubled_inside(x):
    with tangent.grad_of(x) as dx:
        dx *= 2
    return x * x


@on(2.0, wanted=lambda x: 4 * x)
def block_of_a_decorated_callee(x):
    return doubled_inside(x)


@on(2.0, wanted=lambda x: (4 + 1) + (x * 2) * 2)
def block_of_two(x):
    y = x * 2
    with tangent.grad_of(x) as dx, tangent.grad_of(y) as dy:
        dx += 1
        dy *= 2
    return x * y


@on(V, wanted=lambda x: np.minimum(3 * x**2 * np.array([0, 1, 1]), 5))
def block_that_writes_items(x):
    with tangent.grad_of(x) as dx:
        dx[0] = 0.0
        dx[dx > 5] = 5
    return np.sum(x**3)


@on(V, wanted=lambda x: 2 * np.clip(4 * x, -1, 1))
def block_that_clips(x):
    y = x * 2
    with tangent.grad_of(y) as dy:
        dy = np.clip(dy, -1, 1)
    return np.sum(y**2)


@on(3.0, wanted=lambda x: 18.0)
def block_that_truncates_a_while(x):
    y = x
    while y < 50:
        with tangent.grad_of(y) as dy:  # noqa: F841
            if y < 10:
                break
        y = y * y
    return y


@on(3.0, wanted=lambda x: 300.0)
def block_that_reads_what_is_rebound(x):
    k = 3.0
    with tangent.grad_of(x) as g:
        g *= k
    k = 100.0
    return x * k


@on(3.0, wanted=lambda x: 14 * x)
def block_by_its_other_name(x):
    with tangent.insert_grad_of(x) as bx:
        bx = bx * 7
    return x * x


@on(3.0, wanted=lambda x: 8.0 + 400 + 100)
def block_that_continues(x):
    for i in range(3):
        with tangent.grad_of(x) as dx:
            if i == 1:
                continue
            dx = dx + 100
        x = x * 2
    return x
