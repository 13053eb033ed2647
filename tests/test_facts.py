"""What recordings find out: how many are needed, that facts go up only, and that they come to an end."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import autograph as ag
import numpy as np
import pytest
from autograph._src import recording
from autograph._src.staging.trace.facts import Recursion, Standing


@dataclass
class Node:
    value: float
    next: Any = None


GENERATOR = np.random.default_rng(1)
GENERATORS = [np.random.default_rng(seed) for seed in range(40)]


@pytest.fixture
def count(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], int]]:
    """How many recordings there were since it was last asked."""
    begun: list[str] = []
    new_trace = recording.new_trace

    def counted(name: str, facts: Any) -> Any:
        begun.append(name)
        return new_trace(name, facts)

    def since() -> int:
        number = len(begun)
        begun.clear()
        return number

    monkeypatch.setattr(recording, "new_trace", counted)
    yield since


def plain(x):
    return x * 2


def fibonacci(n):
    if n < 2:
        return n
    return fibonacci(n - 1) + fibonacci(n - 2)


def draws(x):
    return x + GENERATOR.normal() * 0


def rows(x):
    out = []
    for v in x:
        out.append([v])
    return out


def with_memo(n):
    seen = [None] * 20

    def go(k):
        if k < 2:
            return k
        if seen[k] is not None:
            return seen[k]
        r = go(k - 1) + go(k - 2)
        seen[k] = r
        return r

    return go(n)


def total(node):
    if node is None:
        return 0.0
    return node.value + total(node.next)


def draws_in_spite_of(x):
    try:
        y = GENERATOR.normal() * 0
    except BaseException:  # It catches the signal as well.
        y = 1.0
    return x + y


@pytest.mark.parametrize(
    ("function", "argument", "recordings"),
    [
        (plain, 1.0, 1),
        (fibonacci, np.int64(7), 2),
        (draws, 1.0, 2),
        (draws_in_spite_of, 1.0, 2),
        (rows, np.ones(7), 2),
        (with_memo, np.int64(7), 2),
        (total, Node(1.0, Node(2.0, Node(3.0))), 3),  # Its nodes are walked; it is a function of the graph.
    ],
)
def test_recordings(function: Any, argument: Any, recordings: int, count: Callable[[], int]) -> None:
    staged = ag.function(function)
    assert repr(staged(argument)) == repr(function(argument))
    assert count() == recordings
    staged(argument)
    assert count() == 0


def test_variables_that_come_with_another_fact(count: Callable[[], int]) -> None:
    """The recording that makes the first ends at the recursion; the next one makes the second."""

    class Counter:
        first: Any = None
        second: Any = None

        def step(self, n):
            if self.first is None:
                self.first = ag.Variable(0)
            self.first.assign_add(fibonacci(n))
            if self.second is None:
                self.second = ag.Variable(1)
            self.second.assign_add(self.first)
            return self.second + 0

    staged, plainly = Counter(), Counter()
    step = ag.function(staged.step)
    assert [step(np.int64(5)), step(np.int64(6))] == [plainly.step(5), plainly.step(6)]
    assert count() == 3


def test_a_variable_at_every_call_is_refused_behind_another_fact() -> None:
    @ag.function
    def made(n):
        v = ag.Variable(0)
        return v + fibonacci(n)

    with pytest.raises(ag.StagingError, match="a variable is made at every call of a staged function"):
        made(np.int64(5))


def test_generators_without_end(count: Callable[[], int]) -> None:
    @ag.function
    def noisy(x):
        for generator in GENERATORS:
            x = x + generator.normal()
        return x

    with pytest.raises(ag.StagingError) as raised:
        noisy(1.0)
    assert raised.value.code == "AG123"
    assert raised.value.message == "more than 32 random generators from outside are drawn from"
    assert raised.value.location.function == "noisy"
    assert count() == 33


def test_standings_go_up_only() -> None:
    recursion, code = Recursion(), plain.__code__
    assert recursion.standing(code) is Standing.UNROLLED and not recursion.is_of_the_graph(code)
    recursion.rise(code, Standing.OF_THE_GRAPH_WITH_OBJECTS)
    recursion.rise(code, Standing.OF_THE_GRAPH)
    assert recursion.standing(code) is Standing.OF_THE_GRAPH_WITH_OBJECTS and recursion.is_of_the_graph(code)
    refusal = ValueError()
    recursion.refuse(code, refusal)
    recursion.rise(code, Standing.OF_THE_GRAPH)
    assert not recursion.is_of_the_graph(code) and recursion.refusals == {code: refusal}


def test_an_int_is_tried_as_an_input_once(count: Callable[[], int]) -> None:
    @ag.function
    def zeros(x, n):
        return x + np.zeros(n)

    zeros(1.0, 2)
    assert count() == 1
    with pytest.warns(UserWarning, match="is retraced for each value of a Python int") as warned:
        zeros(1.0, 3)
    assert warned[0].filename == __file__ and count() == 2
    with warnings.catch_warnings(record=True) as warned:
        zeros(1.0, 4)
    assert not warned and count() == 1


def test_an_int_that_may_be_an_input_is_one(count: Callable[[], int]) -> None:
    @ag.function
    def scaled(x, n):
        return x * n

    assert [scaled(2.0, n) for n in range(5)] == [0.0, 2.0, 4.0, 6.0, 8.0]
    assert count() == 2


def test_ways_to_take_arguments_are_told_apart(count: Callable[[], int]) -> None:
    """An int that is needed as a size, in a function that walks over nodes."""

    @ag.function
    def both(node, n):
        return total(node) + np.zeros(n)

    nodes = Node(1.0, Node(2.0))
    assert both(nodes, 2).shape == (2,)
    with pytest.warns(UserWarning, match="retraced for each value") as warned:
        assert both(nodes, 3).shape == (3,)
    assert warned[0].filename == __file__


def test_the_warning_of_open_sizes_names_the_call() -> None:
    slope = ag.function(lambda x: np.gradient(x, axis=0), input_signature=[ag.ArraySpec((None, None))])
    with pytest.warns(UserWarning, match="is retraced for each size") as warned:
        slope(np.ones((4, 2)))
    assert warned[0].filename == __file__
