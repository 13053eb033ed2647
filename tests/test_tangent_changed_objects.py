"""Programs that change objects, dicts and lists in calls: right to the bit, or refused."""
# mypy: ignore-errors

from __future__ import annotations

import autograph as ag
import numpy as np
import pytest
from autograph import tangent
from tangent_checks import is_guard, is_located


class C:
    def __init__(self, w):
        self.w = w
        self.h = 0.0

    def set(self, a):
        self.h = a

    def step(self, v):
        self.h = self.h * 0.5 + v * self.w
        return self.h

    def fill(self, v):
        self.h[0] = v

    def get(self):
        return self

    def pair(self, v):
        self.h = v * self.w
        return (self, v)


class Two:
    a: C
    b: C

    def __init__(self, a, b):
        self.a = a
        self.b = b

    def go(self, v):
        self.a.step(v)


def array_written_after_it_was_given(x):
    a = np.array([x, x * x, 1.0])
    c = C(x)
    c.set(a)
    a[0] = 5.0 * x
    return np.sum(c.h * c.h)


def object_held_twice(x):
    s = C(x)
    t = Two(s, s)
    t.a.step(x)
    return t.b.h * x


def objects_in_an_object(x):
    a = C(x)
    b = C(2 * x)
    t = Two(a, b)
    t.go(x)
    t.go(x)
    return t.a.h * t.b.w


def object_in_a_dict(x):
    c = C(x)
    d = {"c": c}
    c.step(x)
    return d["c"].h * x


def both(p, q, v):
    p.step(v)
    return q.h * v


def object_given_twice(x):
    c = C(x)
    return both(c, c, x)


def object_in_a_tuple(x):
    c = C(x)
    o, v = c.pair(x)
    o.w = 3.0
    return c.h * c.w + v


def array_of_an_attribute_filled(x):
    c = C(x)
    c.set(np.array([x, 2.0]))
    h = c.h
    c.fill(x * x)
    return np.sum(h * h) + c.h[0]


def upd(d, v):
    d["h"] = d["h"] + v
    d["n"] = v * v


def dict_in_a_loop(x):
    d = {"h": x}
    for k in range(4):
        upd(d, d["h"] * x)
    return d["h"] + d["n"]


def rec(c, v, n):
    if n == 0:
        return c.h
    c.step(v)
    return rec(c, v * 0.5, n - 1) + c.w


def recursion(x):
    c = C(x)
    return rec(c, x, 3)


def arrays_for_numbers(x):
    c = C(x)
    w = c.w
    c.w = x * x
    y = c.step(x)
    c.w = np.ones(3) * x
    c.set(np.ones(3) * y)
    c.step(x)
    return np.sum(c.h) * w


def pushes(ys, v):
    ys[0] = v
    ys.append(v * v)


def list_grown_and_set(x):
    ys = [x, 2.0]
    pushes(ys, x * 3)
    return ys[0] * ys[2] + ys[1]


def takes(ys):
    v = ys.pop()
    return v * v


def list_taken_from(x):
    ys = [x, x * x]
    z = takes(ys)
    return z * ys[-1] + len(ys)


def setitem(ys, i, v):
    ys[i] = v


def item_of_a_list_set(x):
    ys = [x, 2.0]
    setitem(ys, 1, x * x)
    return ys[1] * ys[0]


def results_in_a_list(x):
    c = C(x)
    log = []
    for k in range(3):
        log.append(c.step(x))
    return log[0] * log[2] + log[1]


def object_in_a_list(x):
    c = C(x)
    cs = [c]
    cs[0].step(x)
    return c.h


class Kept:
    def __init__(self, ys):
        self.ys = ys

    def put(self, v):
        self.ys[0] = v


def list_that_an_object_is_given(x):
    ys = [x, 2.0 * x]
    kept = Kept(ys)
    kept.put(x * x)
    return ys[0] * kept.ys[1]


@tangent.checkpoint
def chk(c, v):
    c.step(v)
    return c.h * v


def checkpointed_function(x):
    c = C(x)
    return chk(c, x) * c.h + chk(c, x * x)


def checkpointed_loop(x):
    c = C(x)
    for k in tangent.checkpoint(range(5)):
        c.step(x * k)
    return c.h * c.w


def variable_around(x):
    total = 0.0

    def add(v):
        nonlocal total
        total = total + v

    add(x)
    add(x * x)
    return total


def loop_that_is_left(x):
    c = C(x)
    for k in range(3):
        if k == 1:
            continue
        c.step(x)
    else:
        c.step(2 * x)
    return c.h


def finally_block(x):
    c = C(x)
    try:
        c.step(x)
    finally:
        c.step(x * x)
    return c.h


def zeros_of_the_form_at_hand(x):
    c = C(0.0)
    c.h = x
    y = c.h * 2
    c.h = np.ones(3)
    return y


def zeros_of_the_form_in_a_branch(x):
    c = C(0.0)
    c.h = x
    y = x
    if x > 0:
        y = c.h * 2
    c.h = np.ones(3)
    return y


def zeros_of_the_form_in_a_loop(x):
    d = {"h": x}
    y = x
    for _ in range(3):
        y = d["h"] * y
    d["h"] = np.ones(3)
    return y


RIGHT = (
    *(
        objects_in_an_object,
        dict_in_a_loop,
        recursion,
        arrays_for_numbers,
        list_grown_and_set,
        list_taken_from,
    ),
    *(object_in_a_dict, item_of_a_list_set),
    *(results_in_a_list, checkpointed_function, checkpointed_loop, loop_that_is_left, finally_block),
    variable_around,
    *(zeros_of_the_form_at_hand, zeros_of_the_form_in_a_branch, zeros_of_the_form_in_a_loop),
)
REFUSED = (
    *(array_written_after_it_was_given, object_held_twice, object_given_twice),
    *(object_in_a_tuple, array_of_an_attribute_filled, object_in_a_list),
    list_that_an_object_is_given,
)


@pytest.mark.parametrize("program", RIGHT)
def test_programs_that_change_objects(program) -> None:
    wanted = (program(0.7 + 1e-6) - program(0.7 - 1e-6)) / 2e-6
    value, gradient = tangent.value_and_grad(program)(0.7)
    assert value == program(0.7)
    assert np.isclose(gradient, wanted, rtol=1e-6)
    assert np.isclose(tangent.jvp(program)(0.7, 1.0), wanted, rtol=1e-6)


@pytest.mark.parametrize("program", REFUSED)
def test_programs_whose_names_meet_are_refused(program) -> None:
    for derivative in (tangent.grad, tangent.jvp):
        with pytest.raises((ag.ConversionError, TypeError)) as refused:
            derivative(program)(*((0.7,) if derivative is tangent.grad else (0.7, 1.0)))
        error = refused.value
        assert is_located(error) if isinstance(error, ag.ConversionError) else is_guard(error)
