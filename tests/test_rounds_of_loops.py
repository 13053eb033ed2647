"""A loop is recorded until its types fit; one whose types grow without an end is refused at its place."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import autograph as ag
import numpy as np
import pytest
from autograph._src.staging.control.carries import Carries
from autograph._src.staging.control.rounds import MOST_ROUNDS, Rounds
from autograph._src.staging.kinds.static import Static
from generated_programs import module_of


@dataclass
class Link:
    value: Any
    before: Any


def tuples(n):
    chain = None
    for i in range(n):
        chain = (i, chain)
    return chain


def tuples_in_a_branch(n):
    chain, i = None, 0
    while i < n:
        if chain is None or i > 1:
            chain = (i, chain)
        i += 1
    return chain


def twice_as_many_each_time(n):
    pair = (None, None)
    for i in range(n):
        pair = (pair, pair)
    return pair


def by_two_variables(n):
    one, other = None, None
    for i in range(n):
        one, other = (other, i), (one, i)
    return one


def ordered_dicts(n):
    chain = None
    for i in range(n):
        chain = OrderedDict(value=i, before=chain)
    return chain


def in_an_inner_loop(n):
    total = 0.0
    for i in range(n):
        chain = None
        for k in range(i):
            chain = (k, chain)
        total += 1.0
    return total


@pytest.mark.parametrize(
    "program",
    [tuples, tuples_in_a_branch, twice_as_many_each_time, by_two_variables, in_an_inner_loop],
)
def test_what_grows_without_an_end_is_refused(program: Callable[..., Any]) -> None:
    with pytest.raises(ag.errors.StagingError, match="one container deeper") as error:
        ag.function(program)(np.int64(3))
    assert error.value.code == "AG131"
    location = error.value.location
    assert location is not None
    first = program.__code__.co_firstlineno
    assert location.file == __file__ and first < location.line < first + 8
    assert "in a list" in str(error.value.help)


def dicts(n):
    chain = None
    for i in range(n):
        chain = {"value": i, "before": chain}
    return chain


def objects(n):
    chain = None
    for i in range(n):
        chain = Link(i, chain)
    return chain


def parts_in_a_list(n):
    parts = []
    for i in range(n):
        parts.append((i, 2.0 * i))
    return parts


@pytest.mark.parametrize("program", [dicts, ordered_dicts, objects, parts_in_a_list])
def test_the_remedies_work(program: Callable[..., Any]) -> None:
    for n in (0, 1, 5):
        assert ag.function(program)(np.int64(n)) == program(n)


def test_many_rounds_are_recorded_where_they_end(tmp_path: Path) -> None:
    """Each variable passes its type on to the next: as many rounds as variables."""
    count = 80
    lines = [f"    v{number} = {0 if number else 1}" for number in range(count)]
    lines += ["    for i in range(n):"]
    lines += [f"        v{number} = v{number + 1}" for number in range(count - 1)]
    lines += [f"        v{count - 1} = x", "    return v0, v1, v40"]
    text = "def passed_on(x, n):\n" + "\n".join(lines) + "\n"
    program = module_of(text, tmp_path, "passed_on").passed_on
    for n in (0, 50, 100):
        assert ag.function(program)(1.5, np.int64(n)) == program(1.5, n)


def test_a_loop_that_never_fits_ends() -> None:
    """No program is known that gets there: it calls the counter itself."""

    def counted(count: int) -> Any:
        def rounds_of(x: Any) -> Any:
            carries = Carries(("x",), (x,), [Static(x)], [[]], [[]])
            rounds = Rounds()
            for _ in range(count):
                rounds.next(carries, carries)
            return x

        return ag.function(rounds_of)(1.5)

    assert counted(MOST_ROUNDS) == 1.5
    with pytest.raises(ag.errors.StagingError, match="another type each time"):
        counted(MOST_ROUNDS + 1)
