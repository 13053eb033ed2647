"""Dicts that may be ``None``: returned early from a loop, chosen by a branch, with CPython as the judge.

A dict is joined by what it holds, and becomes a row of a table where a program writes to it. An `OrderedDict`
cannot be a row: a program that could tell is refused. Each run makes what is written to a dict from outside.
"""

from __future__ import annotations

import copy
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import autograph as ag
import numpy as np
import pytest
from programs import assert_same

OUTSIDE = {"a": 3.0, "b": 4.0}


def returned_early(x, n):
    c = 0.5
    for i in range(3):
        if 1 < c:
            return {"a": x, "b": c}
        else:
            c = n


def returned_empty(x, n):
    c = 0.5
    for i in range(3):
        if 1 < c:
            return {}
        else:
            c = n


def returned_nested(x, n):
    c = 0.5
    while c < 8:
        if c < n:
            return {"a": {"a": x}, "b": [c, x]}
        c = c + 1.0
    return None


def returned_ordered(x, n):
    c = 0.5
    for i in range(3):
        if 1 < c:
            return OrderedDict(a=x, b=c)
        else:
            c = n


def returned_from_outside(x, n):
    c = 0.5
    for i in range(3):
        if 1 < c:
            return OUTSIDE
        else:
            c = n


def chosen_by_a_branch(x, n):
    r = None
    if n > 1:
        r = OrderedDict(a=x, b=1.0)
    elif n > 0:
        r = OrderedDict(a=2.0, b=x)
    return r


def chosen_in_a_loop(x, n):
    r = None
    for i in range(n):
        if r is None or i > 1:
            r = OrderedDict(a=x * i, b=1.0)
    return r


def list_returned_early(x, n):
    c = 0.5
    for i in range(3):
        if 1 < c:
            return [{"a": c}, {"a": x}]
        else:
            c = n


MADE = (
    returned_early,
    returned_empty,
    returned_nested,
    returned_ordered,
    returned_from_outside,
    chosen_by_a_branch,
    chosen_in_a_loop,
    list_returned_early,
)


def itself(make, x, n):
    return make(x, n)


def whether_it_is_none(make, x, n):
    return make(x, n) is None


def made_again(make, x, n):
    found = make(x, n)
    if found is None:
        found = make(x, n + 3)
    return found


def carried(make, x, n):
    found, i = make(x, n), 0
    while i < n:
        found = make(x, i)
        i += 1
    return found


def kept(make, x, n):
    found, total = make(x, n), 0.0
    if n > 1:
        total = x
    return found, total


@pytest.mark.parametrize("use", [itself, whether_it_is_none, made_again, carried, kept])
@pytest.mark.parametrize("make", MADE)
def test_what_may_be_none_is_joined(make: Callable[..., Any], use: Callable[..., Any]) -> None:
    staged = ag.function(lambda x, n: use(make, x, n))
    for n in (0, 1, 4):
        assert_same(staged(1.5, np.int64(n)), use(make, 1.5, np.int64(n)))


def looked_up(make, x, n):
    found = make(x, n)
    return "a" in found, "c" not in found


def item(make, x, n):
    return make(x, n)["a"]


def values(make, x, n):
    found = make(x, n)
    return 0.0 if found is None else sum(found.values())


@pytest.mark.parametrize("use", [looked_up, item, values])
@pytest.mark.parametrize("make", [returned_early, returned_ordered, returned_from_outside, chosen_in_a_loop])
def test_what_it_holds_is_read(make: Callable[..., Any], use: Callable[..., Any]) -> None:
    staged = ag.function(lambda x, n: use(make, x, n))
    for n in (0, 4):
        try:
            expected = use(make, 1.5, np.int64(n))
        except TypeError as error:
            with pytest.raises(TypeError, match=f"^{error}"):
                staged(1.5, np.int64(n))
        else:
            assert_same(staged(1.5, np.int64(n)), expected)


def written(make, x, n):
    found = make(x, n)
    other = found
    if found is not None:
        found["a"] = x * 7
    return found, other


def updated(make, x, n):
    found = make(x, n)
    if found is not None:
        found.update(b=x)
    return found


def written_in_a_loop(make, x, n):
    found = make(x, n)
    i = 1
    while i < n:
        found["b"] += x
        i += 1
    return found


def written_by_another_name(make, x, n):
    found = make(x, n)
    OUTSIDE["b"] = x * 2
    if found is not None:
        found["b"] += 1
    return found is None, OUTSIDE["b"], OUTSIDE["a"]


@pytest.mark.parametrize("use", [written, updated, written_in_a_loop, written_by_another_name])
@pytest.mark.parametrize(
    "make", [returned_early, returned_ordered, chosen_by_a_branch, returned_from_outside]
)
def test_writes_are_seen_by_all_names(make: Callable[..., Any], use: Callable[..., Any]) -> None:
    """Also those to what is around the function, which each run makes."""
    staged = ag.function(lambda x, n: use(make, x, n))
    for n in (0, 1, 4, 2):
        seen = []
        for function in (staged, lambda x, n: use(make, x, n)):
            result = function(1.5, np.int64(n))
            seen.append(copy.deepcopy((result, OUTSIDE)))
            OUTSIDE.update(a=3.0, b=4.0)
        assert_same(*seen)


def loss_of(make: Callable[..., Any]) -> Callable[..., Any]:
    def loss(x, n):
        found = make(x, n)
        total = x * x
        if found is None:
            total = x * 3
        return total

    return loss


@pytest.mark.parametrize("make", MADE)
def test_under_transformations(make: Callable[..., Any]) -> None:
    """``total = 0 if found is None``: the derivative of what CPython takes."""
    loss = loss_of(make)
    for n in (0, 4):
        expected = loss(1.5, n), *((3.0, 0.0) if make(1.5, n) is None else (3.0, 2.0))

        def of_x(x: Any, n: int = n) -> Any:
            return loss(x, n)

        staged_n = np.int64(n)
        assert ag.jvp(of_x, (1.5,), (1.0,)) == expected[:2]
        assert (
            ag.function(lambda x, m: ag.jvp(lambda x: loss(x, m), (x,), (1.0,)))(1.5, staged_n)
            == expected[:2]
        )
        assert ag.function(lambda x, m: ag.grad(loss)(x, m))(1.5, staged_n) == expected[1]
        assert ag.function(lambda x, m: ag.hessian(loss)(x, m))(1.5, staged_n) == expected[2]
        batch = ag.vmap(loss)(np.array([1.5, 1.5]), np.array([n, n]))
        np.testing.assert_array_equal(batch, [expected[0]] * 2)
        mixed = ag.vmap(loss)(np.array([1.5, 2.0]), np.array([0, n]))
        np.testing.assert_array_equal(mixed, [loss(1.5, 0), loss(2.0, n)])
