"""Objects that a function writes by one name and reads by another: it sees the write, or is refused."""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

import autograph as ag
import numpy as np
import pytest

LOG = [1.0]
TABLE = np.array([1.0, 2.0])


class Model:
    def __init__(self) -> None:
        self.log = LOG
        self.table = TABLE


class Holder:
    def __init__(self, log: list[Any]) -> None:
        self.log = log

    def total(self) -> Any:
        return total_of(self.log)


@ag.do_not_convert
def log() -> list[Any]:
    return LOG


@ag.do_not_convert
def in_a_tuple() -> tuple[list[Any], int]:
    return LOG, 1


@ag.do_not_convert
def table() -> Any:
    return TABLE


@ag.do_not_convert
def holder() -> Holder:
    return HOLDER


def total_of(values: Any) -> Any:
    total = 0.0
    for value in values:
        total = total + value
    return total


def with_default(values: Any = LOG) -> Any:
    return total_of(values)


def first_of_table() -> Any:
    return TABLE[0]


HOLDER = Holder(LOG)
PARTIAL = functools.partial(total_of, LOG)
VARIABLE: ContextVar[Any] = ContextVar("VARIABLE", default=LOG)
BOUND = HOLDER.total

WAYS: dict[str, Callable[[], Any]] = {
    "global": lambda: total_of(LOG),
    "given": lambda: total_of(log()),
    "given, as it is": lambda: log(),
    "given, a comprehension": lambda: [value for value in log()],
    "given, unpacked": lambda: [*log()],
    "given, in": lambda: 5.0 in log(),
    "given, equal": lambda: len(log()) == 1,
    "given, a sum": lambda: log() + [0.0],  # noqa: RUF005
    "given in a tuple": lambda: total_of(in_a_tuple()[0]),
    "given in an object": lambda: total_of(holder().log),
    "attribute of another object": lambda: total_of(HOLDER.log),
    "bound method": lambda: BOUND(),
    "partial": lambda: PARTIAL(),
    "default": lambda: with_default(),
    "context": lambda: total_of(VARIABLE.get()),
    "array": lambda: TABLE[0] * 2,
    "array, given": lambda: table()[0] * 2,
    "array, in a function": lambda: first_of_table(),
    "array, whole": lambda: total_of(table()),
}
REFUSED = {"given in a tuple", "given in an object", "partial", "default", "context"}


@pytest.mark.parametrize("name", WAYS)
def test_a_way(name: str) -> None:
    way = WAYS[name]

    def write_and_read(model: Any, x: Any) -> Any:
        model.log.append(x)
        model.table[0] = x
        return way()

    staged, model = ag.function(write_and_read), Model()
    for x in (np.float64(5.0), np.float64(3.0)):
        LOG[:], TABLE[:] = [1.0], [1.0, 2.0]
        wanted = repr(write_and_read(model, x)), repr((LOG, TABLE))
        LOG[:], TABLE[:] = [1.0], [1.0, 2.0]
        try:
            found = repr(staged(model, x)), repr((LOG, TABLE))
        except ag.StagingError as error:
            assert name in REFUSED and error.code == "AG122" and LOG == [1.0]
            return
        assert found == wanted
    assert name not in REFUSED and model.log is LOG and model.table is TABLE
