"""Compares the draws of a staged program with those of plain Python, and the states that it leaves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import autograph as ag

Draws = tuple[Callable[[], Any], ...]


def outcomes(function: Callable[[Any], Any], n: Any, begin: Callable[[], None], draws: Draws) -> str:
    """What three calls give or raise, and what is drawn next.

    Args:
        function: The program.
        n: Its argument.
        begin: Sets the states.
        draws: Draw from each.
    """
    begin()
    found: list[Any] = []
    for _ in range(3):
        try:
            found.append(function(n))
        except (ValueError, IndexError, TypeError) as error:
            found.append((type(error), str(error)))
    return repr((found, *[draw() for draw in draws]))


def assert_draws_alike(
    program: Callable[[Any], Any], n: Any, begin: Callable[[], None], draws: Draws
) -> None:
    """Staged, unstaged and called again, a program draws what plain Python draws."""
    staged, wanted = ag.function(program), outcomes(program, n, begin, draws)
    for function in (staged, ag.convert(program), staged):
        assert outcomes(function, n, begin, draws) == wanted
