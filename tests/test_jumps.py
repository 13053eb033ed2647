"""Jumps out of `try`, `with` and `match` mean what CPython says, also where an exception drops them."""

from __future__ import annotations

import linecache
import random
from collections.abc import Callable
from typing import Any

import autograph as ag
import pytest
from random_jumps import Manager, program

PROGRAMS, ANSWERS = 400, 8
MOST_TESTS = 60


def outcome(function: Callable[..., Any], seed: int) -> Any:
    """What a call does, with answers drawn from a seed: result or exception, and the log."""
    choices = random.Random(seed)
    asked = 0

    def test(number: int) -> bool:
        nonlocal asked
        asked += 1
        if asked > MOST_TESTS:
            raise MemoryError
        return choices.random() < 0.45

    log: list[Any] = []
    try:
        result = function(test, log, choices.randrange(4), choices.randrange(4))
    except Exception as error:
        return type(error), error.args, type(error.__context__), log
    return result, log


@pytest.mark.parametrize("part", range(4))
def test_random_jumps(part: int) -> None:
    converted = 0
    for seed in range(part * PROGRAMS // 4, (part + 1) * PROGRAMS // 4):
        text, name = program(seed), f"<jumps {seed}>"
        scope: dict[str, Any] = {"Manager": Manager}
        try:
            exec(compile(text, name, "exec"), scope)
        except SyntaxError:
            continue
        linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
        made = ag.to_graph(scope["f"])
        converted += 1
        for answers in range(ANSWERS):
            assert outcome(made, answers) == outcome(scope["f"], answers), text
    assert converted > PROGRAMS // 8
