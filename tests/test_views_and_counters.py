"""Operators of views, counters and sets whose keys only the run knows: CPython's values, in its order."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import product
from typing import Any

import autograph as ag
import numpy as np
import pytest
from generated_programs import module_of
from test_keyed import assert_same
from whole import IS_WHOLE

ARGUMENTS = [
    (np.array([16, 1, 2, 3, 4, 33, 8]), np.array([3, 1, 3, 3, 40, 16])),
    (np.array([5, 5, 5, 1, 1]), np.array([], np.int64)),
    (np.array([], np.int64), np.array([4, 4, 2])),
    (np.array([7, 2]), np.array([2, 7])),
    (np.arange(60) * 8 % 61, np.arange(3, 40) * 5 % 47),
]

PARTS = {
    "d": "    d = {int(v): int(v) % 4 for v in x}\n",
    "e": "    e = {int(v): int(v) % 3 for v in y}\n",
    "s": "    s = {int(v) for v in x}\n",
    "t": "    t = {int(v) for v in y}\n",
    "a": "    a = Counter(int(v) for v in x)\n    a[2] = -1\n",
    "b": "    b = Counter(int(v) for v in y)\n    b[1], b[50] = 0, -2\n",
    "xs": "    xs = [int(v) for v in y]\n",
}


def with_parts(body: str) -> str:
    """A program with this body, and what it names."""
    named = "".join(text for name, text in PARTS.items() if re.search(rf"\b{name}\b", body))
    return f"from collections import Counter\n\n\ndef f(x, y):\n{named}{body}"


def compare(text: str, folder: Any, arguments: list[Any]) -> None:
    """Compares a program staged with the same in plain Python: results, order and exceptions."""
    function = module_of(with_parts(text), folder, "views_and_counters").f
    staged = ag.function(function)
    for given in arguments:
        assert_same(called(staged, given), called(function, given))


def called(function: Callable[..., Any], given: tuple[Any, ...]) -> Any:
    try:
        return function(*given)
    except (TypeError, KeyError, AttributeError) as error:
        assert not isinstance(error, ag.AutographError), error
        return type(error), str(error)


VIEWS = ("d.keys()", "d.items()")
OPERANDS = ("e.keys()", "e.items()", "t", "{1, 2, 3, 16}", "xs", "e", "d.keys()", "[1, 2]")
SETS = ("&", "-", "|", "^")


def part(cases: Iterable[Any], among: int) -> list[Any]:
    """One of so many cases, or all where all are asked for."""
    return list(cases)[:: 1 if IS_WHOLE else among]


SETS_OF_VIEWS = [
    (view, other, sign)
    for view, other, sign in part(product(VIEWS, OPERANDS, SETS), 11)
    if sign in "&-" or ("items" in view) == ("items" in other)  # A set of pairs and numbers is refused.
]


@pytest.mark.parametrize(("view", "other", "sign"), SETS_OF_VIEWS)
def test_sets_of_views(view: str, other: str, sign: str, tmp_path: Any) -> None:
    is_ordered = view == "d.keys()" and other != "e.items()"
    body = (
        f"    made = {view} {sign} {other}\n    return made, {'list(made)' if is_ordered else 'len(made)'}\n"
    )
    compare(body, tmp_path, ARGUMENTS)


@pytest.mark.parametrize(("other", "sign"), part(product(("t", "{1, 2, 3, 16}"), SETS), 3))
def test_views_on_the_right(other: str, sign: str, tmp_path: Any) -> None:
    compare(f"    made = {other} {sign} d.keys()\n    return made, list(made)\n", tmp_path, ARGUMENTS)


COMPARED = product(VIEWS, ["e.keys()", "e.items()", "t", "{1, 2, 3, 16}", "d.keys()"])


@pytest.mark.parametrize(("view", "other"), part(COMPARED, 3))
def test_comparisons_of_views(view: str, other: str, tmp_path: Any) -> None:
    shown = f"{view} < {other}, {other} <= {view}, {view} == {other}, {view} != {other}, {view} > {other}"
    compare(f"    return {shown}, {view}.isdisjoint(e), {other} >= {view}\n", tmp_path, ARGUMENTS[:4])


def test_members_of_views(tmp_path: Any) -> None:
    shown = (
        "(16, 0) in d.items(), (1, 2) in d.items(), (1, 2, 3) in d.items(), 3 in d.items(), 2 in d.values()"
    )
    compare(f"    return {shown}, x[:1].sum() in d.keys(), 77 in d.values(), 1.0 in d\n", tmp_path, ARGUMENTS)


@pytest.mark.parametrize("use", ["VIEW & 3", "VIEW < [1]", "VIEW.isdisjoint(3)"])
def test_failures_of_views(use: str, tmp_path: Any) -> None:
    for view in ("d.values()", "d.keys()"):
        text = with_parts(f"    return {use.replace('VIEW', view)}\n")
        function = module_of(text, tmp_path, "failing_views").f
        with pytest.raises((TypeError, AttributeError)):
            function(*ARGUMENTS[0])
        with pytest.raises((TypeError, AttributeError, ag.StagingError)) as caught:
            ag.function(function)(*ARGUMENTS[0])
        assert not isinstance(caught.value, ag.AutographError) or caught.value.code == "AG105"


COUNTERS = ("b", "Counter({1: 2, 40: 1})", "Counter()", "a")


@pytest.mark.parametrize(("sign", "other"), part(product(["+", "-", "&", "|"], COUNTERS), 3))
def test_arithmetic_of_counters(sign: str, other: str, tmp_path: Any) -> None:
    body = f"    c = a {sign} {other}\n    p = {other} {sign} a\n    a {sign}= {other}\n"
    compare(f"{body}    return c, p, list(c), a, c is a\n", tmp_path, ARGUMENTS[:4])


@pytest.mark.parametrize("other", COUNTERS)
def test_comparisons_of_counters(other: str, tmp_path: Any) -> None:
    shown = f"a < {other}, {other} <= a, a == {other}, {other} != a, a >= {other}, {other} > a"
    compare(f"    return {shown}, +a, -a, a.total()\n", tmp_path, ARGUMENTS[:4])


def test_elements_of_counters(tmp_path: Any) -> None:
    body = "    total = 0\n    for v in a.elements():\n        total = total * 3 % 1009 + v\n"
    shown = (
        "total, list(a.elements()), sorted(b.elements()), sum(b.elements()), len(list((a + b).elements()))"
    )
    compare(
        f"{body}    return {shown}, list(zip(a.elements(), xs)), Counter(b.elements())\n", tmp_path, ARGUMENTS
    )


@pytest.mark.parametrize(
    "body",
    [
        "i = a.elements()\n    a[1] += 1\n    return list(i)",
        "i = a.elements()\n    return list(i), list(i)",
        "return next(a.elements())",
    ],
)
def test_elements_that_are_refused(body: str, tmp_path: Any) -> None:
    staged = ag.function(module_of(with_parts(f"    {body}\n"), tmp_path, "refused_elements").f)
    with pytest.raises(ag.StagingError) as caught:
        staged(*ARGUMENTS[0])
    assert caught.value.code in ("AG105", "AG120") and caught.value.location is not None


@pytest.mark.parametrize(("sign", "other"), part(product(("&=", "^=", "-="), ("t", "{1, 2, 3, 16}")), 2))
def test_sets_in_place(sign: str, other: str, tmp_path: Any) -> None:
    compare(
        f"    r = s\n    s {sign} {other}\n    s.add(9)\n    return list(s), r is s, len(s), t\n",
        tmp_path,
        ARGUMENTS,
    )


METHODS = ("intersection", "difference", "symmetric_difference", "union")
UPDATES = ("intersection_update", "difference_update", "symmetric_difference_update", "update")


@pytest.mark.parametrize(("method", "other"), part(product((*METHODS, *UPDATES), ("xs", "d", "t")), 5))
def test_methods_of_sets(method: str, other: str, tmp_path: Any) -> None:
    compare(
        f"    made = s.{method}({other})\n    return made, list(made or s), list(s)\n", tmp_path, ARGUMENTS
    )


@pytest.mark.parametrize("values", ["d", "d.keys()", "d.items()", "d.values()", "a", "xs", "t"])
def test_sets_of_dicts(values: str, tmp_path: Any) -> None:
    shown = "len(made)" if "items" in values else "list(made)"
    compare(f"    made = set({values})\n    return made, {shown}\n", tmp_path, ARGUMENTS)
