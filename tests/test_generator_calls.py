"""Calls of staged generator functions from outside: Python's own generators."""

import contextlib
import itertools
import types
import warnings

import autograph as ag
import numpy as np
import pytest


@ag.function
def halved(x):
    while True:
        x = x * 0.5 + 1
        yield x


@ag.function
def place_of(x, limit):
    for place, one in enumerate(halved(x)):
        if one < limit:
            return place, one


class Table:
    def __init__(self, rows):
        self.rows = rows

    @ag.function
    def __iter__(self):
        yield from self.rows

    @ag.function
    def above(self, limit):
        for row in self.rows:
            if row > limit:
                yield row


@pytest.mark.filterwarnings("ignore:.* is a generator function")
def test_a_generator_takes_its_steps_when_it_is_asked():
    steps = halved(3.0)
    assert type(steps) is types.GeneratorType
    assert (next(steps), next(steps)) == (2.5, 2.25)
    assert list(itertools.islice(halved(np.float64(3.0)), 3)) == [2.5, 2.25, 2.125]
    assert list(Table([1, 5, 3]).above(2)) == [5, 3]
    assert list(Table([1, 5])) == [1, 5]


def test_a_staged_function_stages_its_loop():
    assert place_of(np.float64(3.0), 2.2) == (2, 2.125)
    assert "while" in place_of.concrete_function(np.float64(3.0), 2.2).graph.text()


@pytest.mark.filterwarnings("ignore:.* is a generator function")
def test_a_manager_may_be_one():
    seen = []

    @contextlib.contextmanager
    @ag.function
    def noted(x):
        seen.append("begin")
        yield x + 1
        seen.append("end")

    with noted(2) as value:
        seen.append(value)
    assert seen == ["begin", 3, "end"]


def test_a_first_call_says_so_once():
    @ag.function
    def counted():
        yield 1

    with pytest.warns(UserWarning, match="counted is a generator function: its steps run as plain Python"):
        counted()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert list(counted()) == [1]
