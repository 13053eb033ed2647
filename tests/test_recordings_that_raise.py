"""A program that raises is recorded once, and recursions are recorded as deep as CPython runs them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import autograph as ag
import numpy as np
import pytest


def always(x):
    raise ValueError("always")


def in_a_callee(x):
    return always(x) + 1


def of_numpy(x):
    return np.reshape(np.arange(3.0), (2, 2)) + x


def of_python(x):
    return x + {}["missing"]


def for_some(x):
    if x > 2:
        raise ValueError("large")
    return x


def after_a_print(x):
    print("before")
    raise KeyError("after")


def in_rows(x):
    return ag.vmap(lambda row: [][3])(np.ones((2, 2)) * x)


@pytest.mark.parametrize("program", [always, in_a_callee, of_python, for_some, after_a_print, in_rows])
def test_a_call_that_raises_is_recorded_once(program: Callable[[Any], Any], recordings: list[Any]) -> None:
    staged = ag.function(program)
    caught: list[Any] = []
    for _ in range(3):
        with pytest.raises((ValueError, LookupError)) as one:
            staged(np.float64(4.0))
        caught.append(one.value)
    assert len(recordings) == 1
    assert len({id(error) for error in caught}) == 3
    assert len({(type(error), str(error), len(frames(error))) for error in caught}) == 1


def frames(error: BaseException) -> list[Any]:
    found, entry = [], error.__traceback__
    while entry is not None:
        found.append(entry)
        entry = entry.tb_next
    return found


@pytest.fixture
def recordings(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What was recorded."""
    from autograph._src import recording

    found: list[Any] = []
    record = recording._record

    def counting(*args: Any) -> Any:
        found.append(args)
        return record(*args)

    monkeypatch.setattr(recording, "_record", counting)
    return found


def down(n, x):
    if n == 0:
        return x
    return down(n - 1, x + 1.0) * 1.0


def down_in_blocks(n, x):
    result = x
    for i in range(1):
        with Context():
            inner = [] if n == 0 else [down_in_blocks(n - 1, x + 1.0) for _ in range(1)]
            result = sum(inner) if inner else x
    return result


class Context:
    """Does nothing."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        pass


def limit_of(x):
    return sys.getrecursionlimit() + x


@pytest.mark.parametrize("program", [down, down_in_blocks])
def test_a_recursion_over_plain_numbers_is_as_deep_as_in_python(program: Callable[..., Any]) -> None:
    x = np.float64(1.0)
    for depth in (3, 100, 250):
        assert ag.function(program, static="n")(depth, x) == program(depth, x)
    if program is down:
        assert ag.function(program, static="n")(800, x) == program(800, x)


def test_the_limit_is_what_it_was() -> None:
    limit = sys.getrecursionlimit()
    x = np.float64(1.0)
    assert ag.function(limit_of)(x) == limit_of(x) == limit + 1
    with pytest.raises(ValueError, match=r"^always$"):
        ag.function(always)(x)
    assert sys.getrecursionlimit() == limit


def test_a_recursion_without_end_is_refused() -> None:
    def endless(n, x):
        return endless(n + 1, x)

    limit = sys.getrecursionlimit()
    with pytest.raises((ag.StagingError, RecursionError)):
        ag.function(endless, static="n")(0, np.float64(1.0))
    assert sys.getrecursionlimit() == limit
