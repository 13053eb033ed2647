"""Programs with functions that write variables around them, by `nonlocal`."""
# ruff: noqa: F821, F841

from __future__ import annotations

import numpy as np
from tangent_case import Programs

PROGRAMS = Programs()
on = PROGRAMS.on

V = np.array([0.5, -1.2, 2.0])


@on(1.5, 2.0)
def nonlocal_sum(x):
    total = 0.0

    def add(v):
        nonlocal total
        total = total + v

    add(x)
    add(x * x)
    return total * x


@on(V)
def nonlocal_in_a_loop(xs):
    total = 0.0

    def add(v):
        nonlocal total
        total += v * v

    for v in xs:
        add(v)
    return total


@on(1.5, -2.0)
def nonlocal_in_branches(x):
    s = x

    def scale(k):
        nonlocal s
        s = s * k
        return s + 1

    if x > 0:
        y = scale(3.0)
    else:
        y = scale(x)
    return s * y


@on((V,))
def nonlocal_of_two_functions(xs):
    n = 0
    total = 0.0

    def add(v):
        nonlocal total, n
        total = total + v
        n += 1

    def mean():
        return total / n

    def reset():
        nonlocal total
        total = total * 0.5

    for v in xs:
        add(v * v)
        if v > 1:
            reset()
    return mean()


@on((1.5, 4))
def nonlocal_in_expressions(x, n):
    s = x

    def step():
        nonlocal s
        s = s * 0.5
        return s

    y = s + step() * s
    for _ in range(n):
        y = y * step()
    return y


@on(1.5)
def nonlocal_by_another_function(x):
    t = x

    def a(v):
        nonlocal t
        t = t * v

    def b(v):
        a(v)
        a(v + 1)

    b(x)
    return t


@on(2.0)
def nonlocal_writer_given(x):
    t = 0.0

    def add(v):
        nonlocal t
        t = t + v

    def twice(f, v):
        f(v)
        f(v)

    twice(add, x)
    return t


@on(V)
def nonlocal_array_in_place(x):
    y = x * 1.0

    def scale(k):
        nonlocal y
        y *= k
        y = y + x

    z = y
    scale(2.0)
    scale(x[0])
    return np.sum(y * z)


@on(1.5)
def nonlocal_counter_given(x):
    calls = 0

    def count(v):
        nonlocal calls
        calls += 1
        return v * x

    def twice(f, v):
        return f(f(v))

    return twice(count, x)


@on(1.5)
def nonlocal_in_a_comprehension(x):
    total = x

    def add(v):
        nonlocal total
        total = total * v
        return total

    ys = [add(x * k) for k in range(1, 4)]
    return ys[-1]


@on(1.5)
def nonlocal_before_it_is_bound(x):
    def keep(v):
        nonlocal y
        y = v * x

    keep(x)
    y = y * 2.0
    return y


@on(1.5)
def nonlocal_that_is_deleted(x):
    y = x

    def drop(v):
        nonlocal y
        del y
        y = v * x

    drop(x)
    return y


@on(1.5)
def nonlocal_of_a_namesake(x):
    total = x

    def add(v):
        nonlocal total
        total = total * v

    def other(total):
        add(total)
        return total * x

    return other(x) * total


@on(4.0, -4.0)
def nonlocal_in_a_try(x):
    total = x

    def add(v):
        nonlocal total
        total = total * v
        if v < 0:
            raise ValueError("negative")

    try:
        add(x)
    except ValueError:
        total = total + 1.0
    return total


@on(1.5)
def nonlocal_by_a_generator(x):
    total = x

    def each(n):
        nonlocal total
        for k in range(n):
            total = total * x
            yield k

    s = 0.0
    for k in each(3):
        s = s + k
    return total * s


@on(V)
def nonlocal_array_in_a_try(x):
    total = np.zeros(3)

    def add(v):
        nonlocal total
        total = total + v * v

    try:
        add(x)
        add(2.0 * x)
    except ValueError:
        total = total * 0.0
    return np.sum(total * x)


@on(V)
def nonlocal_array_in_a_try_of_a_loop(x):
    best = np.zeros(3)
    count = 0

    def offer(v):
        nonlocal best, count
        count += 1
        if np.sum(v) > np.sum(best):
            best = v

    for k in range(3):
        try:
            offer(x * k)
            if k == 2:
                raise ValueError("stop")
        except ValueError:
            best = best * 0.5
    return np.sum(best * x) * count


@on(V, 40.0 * np.ones(3))
def nonlocal_array_until_it_diverges(x):
    state = x.copy()

    def step(h):
        nonlocal state
        state = state + h * state * state
        if np.sum(state) > 100.0:
            raise OverflowError("diverged")
        return np.sum(state)

    loss = 0.0
    try:
        for _ in range(4):
            loss += step(0.1)
    except OverflowError:
        loss = 0.0
    return loss + np.sum(np.sin(state))


@on(V)
def nonlocal_array_stored_into_in_a_try(x):
    kept = np.zeros(3)

    def put(i, v):
        nonlocal kept
        kept[i] = v

    try:
        for i in range(3):
            put(i, x[i] * x[i])
    except IndexError:
        pass
    return np.sum(kept * x)


REFUSED = {
    "nonlocal_array_stored_into_in_a_try": "AG021",
    "nonlocal_writer_given": "AG021",
    "nonlocal_counter_given": "AG021",
    "nonlocal_before_it_is_bound": "AG021",
    "nonlocal_that_is_deleted": "AG021",
    "nonlocal_of_a_namesake": "AG021",
    "nonlocal_by_a_generator": "AG021",
}
