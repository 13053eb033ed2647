"""What generators print, draw or log: in the order of CPython where statements run them, else refused."""

from __future__ import annotations

import logging
import random
import time
from typing import Any

import autograph as ag
import numpy as np
import pytest
from autograph.errors import StagingError
from programs import assert_same

log = logging.getLogger(__name__)


def printing(c):
    def numbers():
        for i in range(3):
            print("item", i)
            yield i

    return [v * c for v in numbers()]


def told(value):
    print(value)
    return value


def calling(c):
    def numbers():
        yield told(1.0)

    return sum(numbers()) * c


def drawing(c):
    def numbers():
        yield random.random()
        yield np.random.rand()

    return sum(numbers()) * c


def timed(c):
    def numbers():
        yield time.perf_counter()

    return next(numbers()) * c


def logged(c):
    def numbers():
        log.info("begins")
        yield 1.0

    for v in numbers():
        c += v
    return c


class Steps:
    def __init__(self, end):
        self.end, self.at = end, 0

    def __iter__(self):
        return self

    def __next__(self):
        print(self.at)
        self.at += 1
        if self.at > self.end:
            raise StopIteration
        return self.at


class Items:
    def __iter__(self):
        print("walked")
        yield 1
        yield 2


def by_steps(c):
    total = 0
    for v in Steps(3):
        total += v * c
    return total


def listed_items(c):
    return list(Items()), c


def items_of_a_comprehension(c):
    return [v * c for v in Items()]


def starred_items(c):
    return [c, *Items()]


def silent(c):
    def doubled(value):
        return value * 2

    def numbers():
        for i in range(3):
            yield doubled(np.sqrt(i)) * c

    return list(numbers()), sum(numbers())


def zipped(c):
    def numbers():
        print("begins")
        yield 1.0

    return [a * b * c for a, b in zip(numbers(), numbers())]


RECORDED = (printing, calling, drawing, logged, items_of_a_comprehension, zipped, starred_items)
REFUSED = (timed, by_steps, listed_items)


@pytest.mark.parametrize("program", REFUSED)
def test_an_effect_that_would_happen_once_is_refused(program: Any, capsys: Any) -> None:
    with pytest.raises(StagingError, match="AG123") as refusal:
        ag.function(program)(np.float64(1.5))
    assert "-->" in str(refusal.value) and not capsys.readouterr().out


@pytest.mark.parametrize("program", RECORDED)
def test_an_effect_happens_in_each_run(program: Any, capsys: Any, caplog: Any) -> None:
    staged = ag.function(program)
    caplog.set_level(logging.INFO)
    for c in (1.5, -1.0, 1.5):
        seen = []
        for function in (program, staged):
            random.seed(int(c * 4) + 9)
            np.random.seed(int(c * 4) + 9)
            caplog.clear()
            result = function(np.float64(c))
            seen.append((result, capsys.readouterr().out, caplog.messages, random.random(), np.random.rand()))
        assert seen[0] == seen[1]


def returned(c):
    def numbers():
        print("begins")
        yield c

    return numbers()


def test_a_generator_is_never_silent(capsys: Any) -> None:
    """One that leaves the trace prints as CPython does when its items are taken, or is refused."""
    staged = ag.function(returned)
    for _ in range(2):
        try:
            items = list(staged(np.float64(1.0)))
        except ag.AutographError as error:
            assert error.location is not None
        else:
            assert items == [1.0] and capsys.readouterr().out == "begins\n"


def test_a_generator_without_effects() -> None:
    staged = ag.function(silent)
    for c in (np.float64(1.5), np.float64(-1.0)):
        assert_same(staged(c), silent(c))
