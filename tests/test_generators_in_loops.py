"""A generator that a converted loop leaves by an exception is closed when CPython closes it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import autograph as ag
import numpy as np
import pytest

SEEN: list[str] = []


class Manager:
    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, *_: Any) -> bool:
        SEEN.append("left" if kind is None else kind.__name__)
        return True


def numbers() -> Iterator[int]:
    try:
        yield 1
        yield 2
    finally:
        SEEN.append("closed")


def raised() -> None:
    with Manager():
        for number in numbers():
            raise ValueError(number)


def raised_after_a_break_that_may_be() -> None:
    with Manager():
        for number in numbers():
            if number == 2:
                break
            if number == 1:
                raise KeyError(number)


def left() -> None:
    with Manager():
        for _ in numbers():
            break


@pytest.mark.parametrize("program", [raised, raised_after_a_break_that_may_be, left])
def test_order_is_cpythons(program: Any) -> None:
    def run(function: Any) -> list[str]:
        SEEN.clear()
        function()
        return list(SEEN)

    assert run(ag.to_graph(program)) == run(program)


def fails_twice(x: Any) -> Any:
    chosen = x if x > 0 else None
    chosen + 0
    raise RuntimeError


def indexes_first(x: Any, i: Any) -> Any:
    x[i]
    raise KeyError("after")


def test_the_first_failure_is_the_one_that_is_raised() -> None:
    """What fails in the graph comes before an exception that is raised after it, data or no data."""
    for argument, kind in ((np.float64(-1.0), TypeError), (np.float64(1.0), RuntimeError)):
        with pytest.raises(kind):
            fails_twice(argument)
        with pytest.raises(kind):
            ag.function(fails_twice)(argument)
    for index, kind in ((5, IndexError), (1, KeyError)):
        with pytest.raises(kind):
            ag.function(indexes_first)(np.arange(3.0), np.int64(index))


def test_order_is_cpythons_while_something_is_staged() -> None:
    """Also where a back-end is active and the loop is a plain one."""
    from autograph.backends import Backend, activated

    SEEN.clear()
    with activated(Backend()):
        ag.to_graph(raised)()
    assert SEEN == ["closed", "ValueError"]
