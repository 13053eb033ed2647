"""A `StopIteration` of the run ends no iterator: where plain Python's would, the program is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import autograph as ag
import numpy as np
import pytest


def first_above(k: Any) -> Any:
    return next(iter([i for i in [1.0, 2.0] if i > k]))


def items(k: Any) -> Iterator[Any]:
    yield first_above(k)
    yield 2.0


def over_items(k: Any) -> Any:
    total = 0.0
    for v in items(k):
        total = total + v
    return total


def unpacked(k: Any) -> Any:
    (a,) = map(lambda v: first_above(k), [1])
    return a


def in_a_loop(k: Any) -> Any:
    total = 0.0
    for v in map(lambda v: first_above(k), [1, 2]):
        total = total + v
    return total


def by_a_sentinel(k: Any) -> Any:
    total = 0.0
    for v in iter(lambda: first_above(k), 3.0):
        total = total + v
        break
    return total


def in_a_method(k: Any) -> Any:
    class Walk:
        def __iter__(self) -> Walk:
            return self

        def __next__(self) -> Any:
            return first_above(k)

    total = 0.0
    for v, _ in zip(Walk(), range(2), strict=False):
        total = total + v
    return total


ENDING: dict[str, Callable[[Any], Any]] = {
    "sum": lambda k: sum(first_above(k) * i for i in range(3)),
    "list of map": lambda k: len(list(map(lambda v: first_above(k), [1, 2]))),
    "filter": lambda k: len([v for v in filter(lambda v: first_above(k) > 0, [1, 2])]),
    "generator function": over_items,
    "zip of map": lambda k: sum(list(zip(map(lambda v: first_above(k), [1, 2]), [1, 2], strict=False)), ()),
    "enumerate": lambda k: list(enumerate(first_above(k) for i in range(2)))[-1],
    "any": lambda k: any(first_above(k) > 5 for i in range(2)),
    "star": lambda k: len([*map(lambda v: first_above(k), [1, 2])]),
    "unpacked": unpacked,
    "for": in_a_loop,
    "next": lambda k: next(map(lambda v: first_above(k), [1, 2]), 5.0),
    "map over arrays": lambda k: list(map(lambda v: first_above(k) * v, [k, k]))[-1],
    "map over an array": lambda k: sum(map(lambda v: first_above(k) * v, np.arange(3) * k)),
    "sentinel": by_a_sentinel,
    "__next__": in_a_method,
}

PASSING: dict[str, Callable[[Any], Any]] = {
    "call": first_above,
    "call in a call": lambda k: (lambda: first_above(k) + 1.0)(),
    "list comprehension": lambda k: sum([first_above(k) * i for i in range(3)]),
    "dict comprehension": lambda k: {i: first_above(k) * i for i in range(3)},
    "set comprehension": lambda k: len({first_above(3) for i in range(3)}) + k,
    "sorted": lambda k: sorted([1, 2], key=lambda v: first_above(k))[0],
    "max": lambda k: max([1, 2], key=lambda v: first_above(k)),
}


def outcome(function: Callable[[Any], Any], k: Any) -> Any:
    try:
        return repr(function(k))
    except ag.StagingError as error:
        return error.code
    except Exception as error:
        return type(error).__name__, str(error)


@pytest.mark.parametrize("name", ENDING)
def test_what_ends_an_iterator_is_refused(name: str) -> None:
    staged = ag.function(ENDING[name])
    assert {outcome(staged, np.int64(k)) for k in (1, 7)} <= {"AG135", "AG101"}


@pytest.mark.parametrize("name", PASSING)
def test_what_passes_is_raised(name: str) -> None:
    staged = ag.function(PASSING[name])
    for k in (np.int64(1), np.int64(7)):
        assert outcome(staged, k) == outcome(PASSING[name], k)
