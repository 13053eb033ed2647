"""Dicts that a staged statement binds, under two names: a write or an ``is`` that could tell is refused."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import autograph as ag
import numpy as np
import pytest
from programs import assert_same

Params = dict[str, Any]


def halved(p: Params) -> Params:
    return {k: v * 0.5 for k, v in p.items()}


def written_by_the_older_name(p, n, x):
    p = dict(p)
    q = p
    for i in range(n):
        p = halved(p)
    q["a"] = x
    return p["a"], q["a"]


def written_by_the_newer_name(p, n, x):
    p = {**p}
    q = p
    for i in range(n):
        p = halved(p)
    p["a"] = x
    return p["a"], q["a"]


def written_before_it_is_bound_anew(p, n, x):
    p = p.copy()
    q = p
    for i in range(n):
        p["a"] = p["a"] + x
        p = halved(p)
    return p, q


def one_of_two(p, n, x):
    one, other = {"a": x}, {"a": x + 1}
    p = one if n > 2 else other
    p["a"] = x * 9
    return one["a"], other["a"]


def of_the_same_identity(p, n, x):
    p = dict(p)
    before, count = p, 0
    for i in range(n):
        if before is p:
            count += 1
        before = p
        p = halved(p)
    return count


def kept_in_a_list(p, n, x):
    p = dict(p)
    found = []
    for i in range(n):
        p = halved(p)
        found.append(p)
    if len(found) > 1:
        found[-1]["a"] = x
    return found, p


def written_after_a_loop_that_has_made_it(p, n, x):
    for i in range(6):
        p = halved(p)
    p["a"] = x
    for i in range(n):
        p = halved(p)
    return p


@pytest.mark.parametrize(
    "function",
    [
        written_by_the_older_name,
        written_by_the_newer_name,
        written_before_it_is_bound_anew,
        one_of_two,
        of_the_same_identity,
        kept_in_a_list,
        written_after_a_loop_that_has_made_it,
    ],
)
def test_dicts_of_the_program_become_rows(function: Callable[..., Any]) -> None:
    staged = ag.function(function)
    for n in (0, 1, 3, 7):
        given = {"a": np.array([1.0, 2.0]), "b": np.array([3.0, 4.0])}
        want = function(copy.deepcopy(given), n, np.array([0.5, 0.25]))
        assert_same(staged(given, np.int64(n), np.array([0.5, 0.25])), want)


def write(p, n, x):
    for i in range(n):
        p = halved(p)
    p["a"] = x
    return p


def compare(p, n, x):
    q = p
    for i in range(n):
        p = halved(p)
    return p is q


def another_key(p, n, x):
    for i in range(n):
        p = {**p, "c": x}
    return p


def another_order(p, n, x):
    for i in range(n):
        p = {"b": p["b"], "a": p["a"] * x}
    return p


def array_in_place(p, n, x):
    p = {k: v.copy() for k, v in p.items()}
    for i in range(n):
        p["a"] += x
        p = halved(p)
    return p


def in_a_list(p, n, x):
    found = []
    for i in range(n):
        p = halved(p)
        found.append(p)
    return found


@pytest.mark.parametrize(
    ("function", "code", "message", "remedy"),
    [
        (
            write,
            "AG113",
            "`p` is changed in place, and may be another dict, depending on a staged statement",
            "copy it first: `p = dict(p)`",
        ),
        (
            compare,
            "AG120",
            "whether `p` is another dict depends on a staged statement",
            "compare what the dicts hold",
        ),
        (
            another_key,
            "AG121",
            "the key 'c' is in `p` only after an iteration",
            "add the key before the staged statement, with a first value",
        ),
        (
            another_order,
            "AG121",
            "the keys of `p` have another order after an iteration than before the loop",
            "write the keys in one order",
        ),
        (
            array_in_place,
            "AG113",
            "this writes in place to an element of `p['a']`, a staged list",
            "write to a copy, `.copy()`, and put that into the list",
        ),
        (
            in_a_list,
            "AG131",
            "`p` is a dict from outside of the staged function before the loop, and one in a staged container"
            " after an iteration",
            "begin with a copy: `p = dict(p)`",
        ),
    ],
)
def test_what_could_be_told_is_refused(
    function: Callable[..., Any], code: str, message: str, remedy: str
) -> None:
    given = {"a": np.array([1.0, 2.0]), "b": np.array([3.0, 4.0])}
    with pytest.raises(ag.StagingError) as caught:
        ag.function(function)(given, np.int64(3), np.array([0.5, 0.25]))
    error = caught.value
    assert (error.code, error.message, error.help) == (code, message, remedy)
    assert error.location is not None and error.location.file == __file__


def items_of_joined_lists(x, y, k):
    x, y = list(x), list(y)
    one = x if k > 0 else y
    one[0] = 7.0
    other = y if k > 0 else x
    del other[1]
    return x, y


def slices_of_joined_lists(x, y, k):
    x, y = list(x), list(y)
    one = x if k > 0 else y
    one[:1] = [7.0, 8.0]
    return x, y


@pytest.mark.parametrize("function", [items_of_joined_lists, slices_of_joined_lists])
def test_items_and_slices_of_lists_that_may_be_others_are_written(function: Callable[..., Any]) -> None:
    staged = ag.function(function)
    for k in (0, 1):
        assert_same(staged([1.5, 2.5], [0.5, -1.0], np.int64(k)), function([1.5, 2.5], [0.5, -1.0], k))


def lists_in_dicts(x, y, k):
    rows = [{"a": x}, {"a": y}]
    rows[k]["a"].append(1.0)
    return x


def lists_of_the_caller(x, y, k):
    one = x if k > 0 else y
    one[0] = 1.0
    return x


@pytest.mark.parametrize(("function", "code"), [(lists_in_dicts, "AG121"), (lists_of_the_caller, "AG113")])
def test_lists_of_the_caller_are_not_written(function: Callable[..., Any], code: str) -> None:
    with pytest.raises(ag.StagingError) as caught:
        ag.function(function)([1.5, 2.5], [0.5, -1.0], np.int64(1))
    assert caught.value.code == code and caught.value.location is not None
