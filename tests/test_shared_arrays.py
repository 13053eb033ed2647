"""Arrays that a variable may share with another one: the result is CPython's, or the write is refused."""

from __future__ import annotations

import copy
from typing import Any

import autograph as ag
import numpy as np
import pytest
from programs import assert_same


def one_of_two(x, z, c):
    if c > 0:
        y = x
    else:
        y = z
    y += 1
    return x, z


def by_an_expression(x, c):
    y = x if c > 0 else x * 2
    y += 1
    return x


def two_names_of_one(c):
    y = t = np.zeros(2)
    if c > 0:
        y = t = np.ones(2)
    y += 1
    return t


def kept_by_another_variable(c, n):
    w = np.zeros(2)
    keep = w
    for _ in range(n):
        if c > 0:
            w = w * 2 + 1
        w += 1
    return w, keep


def kept_by_a_tuple(c, n):
    t = (np.zeros(2), 1)
    keep = t
    for _ in range(n):
        if c > 0:
            t = (t[0] * 2, 2)
        w = t[0]
        w += 1
    return keep[0] + 0


def kept_inside_the_loop(c, n):
    best = None
    s = 0.0
    for _ in range(n):
        if best is None:
            best = np.zeros(2)
        keep = best
        if c > 0:
            best = best * 2
        best += 1
        s = keep.sum()
    return best, s


def kept_by_a_list(c, n):
    items = [np.zeros(2), np.ones(2)]
    kept = items[0]
    for _ in range(n):
        if c > 0:
            items[0] = items[0] * 2
        items[0] += 1
    return items, kept + 0


def an_argument(x, c):
    w = x
    if c > 0:
        w = w + 1
    w += 1
    return w, x


def read_after_a_write(x, c):
    y = x if c > 0 else x * 2
    x += 1
    return y.sum()


def read_after_swaps(x, n):
    a, b = x, x * 2
    for _ in range(n):
        a, b = b, a
    x += 1
    return a.sum()


def in_a_list(x, c):
    pair = [x, x * 2]
    if c > 0:
        pair[1] = x
    x += 1
    return pair[1].sum()


PROGRAMS = {
    one_of_two: ("AG113", (np.ones(2), np.zeros(2), np.int64(1))),
    by_an_expression: ("AG113", (np.ones(2), np.int64(1))),
    two_names_of_one: ("AG113", (np.int64(1),)),
    kept_by_another_variable: ("AG113", (np.int64(-1), np.int64(2))),
    kept_by_a_tuple: ("AG113", (np.int64(-1), np.int64(2))),
    kept_inside_the_loop: ("AG113", (np.int64(-1), np.int64(2))),
    kept_by_a_list: ("AG113", (np.int64(-1), np.int64(2))),
    an_argument: ("AG113", (np.ones(2), np.int64(-1))),
    read_after_a_write: ("AG111", (np.ones(2), np.int64(1))),
    read_after_swaps: ("AG111", (np.ones(2), np.int64(2))),
    in_a_list: ("AG111", (np.ones(2), np.int64(1))),
}


@pytest.mark.parametrize("program", PROGRAMS)
def test_what_others_see_is_refused(program: Any) -> None:
    code, arguments = PROGRAMS[program]
    before = copy.deepcopy(arguments)
    with pytest.raises(ag.StagingError) as caught:
        ag.function(program)(*arguments)
    assert caught.value.code == code and caught.value.location is not None
    assert_same(arguments, before)


@pytest.mark.parametrize("program", PROGRAMS)
def test_converted_and_plain_are_the_same(program: Any) -> None:
    arguments = PROGRAMS[program][1]
    ours, theirs = copy.deepcopy(arguments), copy.deepcopy(arguments)
    assert_same(ag.to_graph(program)(*ours), program(*theirs))
    assert_same(ours, theirs)
