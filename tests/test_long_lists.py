"""Recording a read of a long list, or a change of it, does not look at each of its items.

What is counted are the calls of functions while a function is recorded, for a list of 100 items and one of
5,000: twice as many reads may take twice as many calls, whatever the length.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import autograph as ag
import numpy as np
import pytest

TABLE: list[Any] = []


def reads_of_a_global(n: int) -> int:
    count = 0
    for i in range(n):
        if TABLE[i]:
            count += 1
    return count


def reads_of_an_argument(n: int, xs: list[int]) -> int:
    count = 0
    for i in range(n):
        count += xs[-1 - i] % 2 + len(xs)
    return count


def nested_reads(n: int, xs: list[int]) -> int:
    found, i = 0, 0
    while i < n:
        k = 0
        while TABLE[k] and xs[k] < xs[i]:
            k += 1
        found, i = found + k, i + 1
    return found


def appends_and_pops(n: int, xs: list[int]) -> list[int]:
    made = xs[:]
    for i in range(n):
        made.append(i)
        made.insert(0, made.pop())
        made[i] = i
    return made[:3]


def memberships(n: int, xs: list[int]) -> int:
    return sum(1 for i in range(n) if xs[i] in xs and -1 not in xs)


def slices(n: int, xs: list[int]) -> int:
    return sum(xs[i : i + 2][0] for i in range(n))


FUNCTIONS = [reads_of_a_global, reads_of_an_argument, nested_reads, appends_and_pops, memberships, slices]


def _calls(function: Callable[..., Any], *arguments: Any) -> int:
    count = 0

    def note(frame: Any, event: str, argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    staged = ag.function(function)
    sys.setprofile(note)
    try:
        made = staged(*arguments)
    finally:
        sys.setprofile(None)
    assert made == function(*arguments)
    return count


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_calls_do_not_grow_with_the_list(
    function: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def more(length: int) -> int:
        monkeypatch.setattr(sys.modules[__name__], "TABLE", [True] * length)
        rest = () if function is reads_of_a_global else (list(range(length)),)
        _calls(function, 4, *rest)  # The first recording of a function imports and converts.
        return _calls(function, 24, *rest) - _calls(function, 12, *rest)

    assert more(5000) <= 1.2 * more(100)


def test_what_is_in_a_list_that_is_read_is_still_known() -> None:
    weights = [np.array([1.0, 2.0]), np.array([3.0])]
    numbers = [np.float64(2.0), 3.0]

    @ag.function
    def scaled(x):  # type: ignore[no-untyped-def]
        return x * weights[0] + numbers[0] * weights[1] + float(weights[1][0])

    def check() -> None:
        x = np.array([1.0, 1.0])
        np.testing.assert_array_equal(
            scaled(x), x * weights[0] + numbers[0] * weights[1] + float(weights[1][0])
        )

    check()
    weights[0][1] = 7.0
    check()
    weights[1][0] = 5.0
    check()
    numbers[0] = np.float64(4.0)
    check()
    weights[0] = np.array([0.0, 1.0])
    check()
    numbers.pop(0)
    check()
